"""Is the position the fold of the log, and a view the fold of what a seat was told?"""

from __future__ import annotations

from typing import Final
from xml.etree import ElementTree as ET

from ludolog.position import Position
from ludolog.testing.comparing import culprit, not_part_of, position_difference
from ludolog.testing.findings import Finding
from ludolog.testing.replaying import view_of_nothing
from ludolog.testing.subject import Sample, Subject, some
from ludolog_events import Event, Seat, told

__all__ = ["folding_gives_the_position", "pictures_can_be_drawn", "views_are_part_of_the_position"]

_FOLDED_ANEW: Final = 40
_DRAWN: Final = 12


def folding_gives_the_position(subject: Subject) -> None:
    """Folding the stored log from nothing gives the live position after every batch."""
    for sample in subject.samples:
        table = sample.table
        position = subject.ruleset.start()
        for number, events in sample.facts:
            before, position = position, subject.ruleset.fold(position, events)
            live = sample.positions[number]
            found = position_difference(live, position)
            if found is not None:
                why = f"the live position holds {found.one!r}, the fold of the log {found.other!r}"
                name = culprit(before, events, found.path)
                raise Finding(why, batch=number, event=name, field=found.path)
        for length in some(range(1, table.length + 1), _FOLDED_ANEW):
            found = position_difference(sample.positions[length - 1], table.at(length))
            if found is not None:
                why = f"the live position held {found.one!r}, and going back to it gives {found.other!r}"
                name = culprit(position, sample.facts[length - 1].events, found.path)
                raise Finding(why, batch=length - 1, event=name, field=found.path)


def views_are_part_of_the_position(subject: Subject) -> None:
    """Folding what a seat was told never fails, and never says anything else than the position does."""
    for sample in subject.samples:
        for viewer in subject.viewers:
            view = view_of_nothing(subject.ruleset, viewer)
            full = subject.ruleset.start()
            for facts in sample.facts:
                for event in facts.events:
                    full = subject.ruleset.fold(full, (event,))
                    view = _folded(facts.number, view, event, viewer)
                    _check_part(facts.number, view, full, event, viewer)


def _folded(number: int, view: Position, event: Event, viewer: Seat | None) -> Position:
    try:
        return view.ruleset.fold(view, (event,), viewer)
    except Exception as error:
        why = f"folding {told(event, viewer)} onto the view raises {type(error).__name__}: {error}"
        raise Finding(why, batch=number, event=type(event).__name__, seat=_name(viewer)) from error


def _check_part(number: int, view: Position, full: Position, event: Event, viewer: Seat | None) -> None:
    for reducer in view.ruleset.reducers_of(type(event)):
        kind = reducer.state
        found = not_part_of(view.slices[kind], full.slices[kind], kind.__name__)
        if found is not None:
            why = f"the view holds {found.one!r}, the position {found.other!r}: the reducer looks at what was not told"
            raise Finding(why, batch=number, event=type(event).__name__, field=found.path, seat=_name(viewer))


def _name(viewer: Seat | None) -> str:
    return "a viewer without a seat" if viewer is None else viewer


def pictures_can_be_drawn(subject: Subject) -> None:
    """Every picture of the game can be drawn of the position and of every view, from the first batch to the last."""
    kinds = {"text", *subject.ruleset.pictures}
    for sample in subject.samples:
        for number, position in some(enumerate(sample.positions[1:], start=1), _DRAWN):
            for kind in sorted(kinds):
                _check_picture(number, kind, position, None)
        for viewer, views in sample.views.items():
            for number, view in some(enumerate(views[1:], start=1), _DRAWN):
                for kind in sorted(kinds):
                    _check_picture(number, kind, view, viewer)
        _check_sentences(subject, sample)


def _check_picture(number: int, kind: str, position: Position, viewer: Seat | None) -> None:
    whose = f"of the view of {_name(viewer)}" if position.is_view else "of the position"
    try:
        drawn = position.ruleset.draw(kind, position)
        fits = bool(drawn.strip()) and (kind != "svg" or ET.fromstring(drawn).tag.endswith("svg"))  # noqa: S314 - own text
    except Exception as error:
        why = f"drawing the picture {whose} raises {type(error).__name__}: {error}"
        raise Finding(why, batch=number, field=f"picture {kind}", seat=viewer) from error
    if not fits:
        why = f"the picture {whose} is no picture of kind {kind}: {drawn[:60]!r}"
        raise Finding(why, batch=number, field=f"picture {kind}", seat=viewer)


def _check_sentences(subject: Subject, sample: Sample) -> None:
    """Every told event has a sentence, for whoever sees it just then."""
    sentences = subject.ruleset.merged.sentences
    for viewer in sample.viewers:
        view = view_of_nothing(subject.ruleset, viewer)
        for number, events in sample.facts:
            for event in events:
                fact = told(event, viewer)
                if fact is None:
                    continue
                view = subject.ruleset.fold(view, (fact,))
                say = sentences.get(type(fact))
                try:
                    if say is not None:
                        say(view, fact)
                except Exception as error:
                    why = f"telling {fact} raises {type(error).__name__}: {error}"
                    raise Finding(why, batch=number, event=type(event).__name__, seat=_name(viewer)) from error
