"""A bot of your own against a random one. Run it: ``python examples/own_bot.py``.

To let others use it by name, put a hook ``ludolog_bot`` that returns a ``BotPlugin`` into the module, and name the
module by an entry point ``bots/<name>`` in group ``ludolog``.
"""

from __future__ import annotations

from collections.abc import Sequence

from ludolog import Bot, Chance, Command, Position, catalogue
from ludolog_plugins.bots.match import bot_from, play_match


class TwoSteps:
    """Draws one world that fits what it knows, and takes the command with the best answer of its own to follow."""

    def choose(self, view: Position, legal: Sequence[Command], chance: Chance) -> Command:
        """The best of ``legal``; a bot is given a view and nothing else."""
        seat = view.viewer
        assert seat is not None, "a bot sits at a table"
        ruleset = view.ruleset
        world = ruleset.determinize(view, chance)

        def promise(command: Command) -> float:
            after = ruleset.decide(world, seat, command, chance).position
            answers = [ruleset.decide(after, seat, answer, chance).position for answer in ruleset.legal(after, seat)]
            return max(ruleset.value(found)[seat] for found in (after, *answers))

        return max(legal, key=promise)


def main() -> None:
    """Play 20 races and count who won."""
    ruleset = catalogue().ruleset("dark-horse-bugs")
    bots: dict[str, Bot] = {"mine": TwoSteps(), "random": bot_from("random")}
    wins = dict.fromkeys(bots, 0)
    for seed in range(20):
        outcome = play_match(ruleset, tuple(bots), bots, seed).outcome
        assert outcome is not None, "every race ends"
        for seat in outcome.winners:
            wins[seat] += 1
    print(wins)
    assert wins["mine"] > wins["random"]


if __name__ == "__main__":
    main()
