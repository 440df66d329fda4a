"""A small app: you and two bots race bugs. Run it: ``python examples/against_bots.py``."""

from __future__ import annotations

import ludolog
from ludolog_plugins.bots.match import bot_chance, bot_from, play_turn


def main() -> None:
    """Play one race; here "you" plays the first command that is legal, where an app would ask somebody."""
    table = ludolog.new_table("dark-horse-bugs", seats=("you", "bob", "cy"), variants=("dilly-dally",), seed=7)
    bots = {"bob": bot_from("greedy"), "cy": bot_from("random")}
    chances = {seat: bot_chance(None, seat) for seat in bots}
    told = 0
    while table.to_act:
        seat = table.to_act[0]
        if seat in bots:
            play_turn(table, seat, bots[seat], chances[seat])
        else:
            table.play("you", table.legal("you")[0])
        # What an app shows comes from what the seat was told and its view alone: nobody else's secrets are in them.
        for item, sentence in table.story("you", after=told):
            told = item.number
            if sentence:
                print(told, sentence)
    print(table.view("you"))
    print(table.audit([table.receipt]))


if __name__ == "__main__":
    main()
