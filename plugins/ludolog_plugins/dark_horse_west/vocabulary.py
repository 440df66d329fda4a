"""What a card may say: effects, costs, abilities and cards as plain data of a closed vocabulary."""

from __future__ import annotations

import msgspec

__all__ = ["Ability", "Card", "Cost", "Effect", "Icons", "Terms"]


class Terms(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """What passive and scoring operations say beside what they name: limits, prices, points."""

    scope: str = ""
    item: str = ""
    min: int = 0
    max: int = -1
    exact: int = 0
    any: bool = False
    modifiers: bool = False
    measure: str = ""
    per: int = 0
    points: int = 0
    cap: int = 0


class Effect(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """One operation of a card; ``op`` says which, and which of the other fields it reads.

    An effect has fewer than 16 fields, so that its encoding in a log is the canonical one; hence the :class:`Terms`.
    """

    op: str
    what: str = ""
    n: int = 0
    who: str = "owner"
    options: tuple[tuple[Effect, ...], ...] = ()
    deck: str = ""
    keep: int = 0
    to: str = ""
    mode: str = ""
    agendas: int = 0
    space: str = ""
    role: str = ""
    otherwise: str = msgspec.field(name="else", default="")
    terms: Terms = Terms()


class Cost(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """One part of a price: ``n`` of ``what``; a die must show at least ``min``."""

    what: str
    n: int = 1
    min: int = 0


class Condition(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """What else a trigger asks for: a die of the claim that shows at least ``die_min``."""

    die_min: int = 0


class Ability(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """What a card can do, and when."""

    timing: str
    effects: tuple[Effect, ...]
    cost: tuple[Cost, ...] = ()
    trigger: tuple[str, ...] = ()
    condition: Condition = Condition()
    module: str = ""
    place: str = ""
    text: str = ""
    confidence: str = ""


class Icons(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """The icons of a gunfighter."""

    combat: int = 0
    duel: int = 0
    tough: bool = False
    deadly: bool = False
    wanted: bool = False
    weak_kneed: bool = False


class Card(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """A card: its deck, its abilities, and what it needs in play."""

    id: str
    deck: str
    name: str
    ability: tuple[Ability, ...] = ()
    mark: bool = False
    requires: tuple[str, ...] = ()
    replaces: str = ""
    type: str = ""
    colour: str = ""
    icons: Icons = Icons()
    reputation: dict[str, int] = {}
    confidence: str = ""
