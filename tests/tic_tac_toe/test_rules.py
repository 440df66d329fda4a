"""Tic-tac-toe and misère, clause by clause."""

from __future__ import annotations

import pytest

import ludolog
from ludolog import IllegalCommand, Table
from ludolog.errors import GameOver, NotYourTurn
from tic_tac_toe import Board, Place


def table_after(*cells: int, variants: tuple[str, ...] = ()) -> Table:
    """A table after marks were put on these cells in turn."""
    table = ludolog.new_table("tic-tac-toe", seats=("ann", "bob"), variants=variants, seed=1)
    for number, cell in enumerate(cells):
        table.play(("ann", "bob")[number % 2], Place(cell=cell))
    return table


@pytest.mark.rule("TTT-1")
@pytest.mark.parametrize("cell", [-1, 9, 100])
def test_there_are_nine_cells(cell: int) -> None:
    table = table_after()
    assert [command.cell for command in table.legal("ann")] == list(range(9))
    with pytest.raises(IllegalCommand) as caught:
        table.play("ann", Place(cell=cell))
    assert (caught.value.refusal.code, caught.value.refusal.clause) == ("no-such-cell", "TTT-1")


@pytest.mark.rule("TTT-2")
def test_the_seats_take_turns() -> None:
    table = table_after(4)
    assert table.position[Board].cells[4] == "X"
    assert table.to_act == ("bob",)
    with pytest.raises(NotYourTurn):
        table.play("ann", Place(cell=0))
    table.play("bob", Place(cell=0))
    assert table.position[Board].cells[0] == "O"
    assert table.to_act == ("ann",)


@pytest.mark.rule("TTT-3")
def test_a_mark_goes_on_a_free_cell_and_stays() -> None:
    table = table_after(4)
    assert Place(cell=4) not in table.legal("bob")
    with pytest.raises(IllegalCommand) as caught:
        table.play("bob", Place(cell=4))
    assert (caught.value.refusal.code, caught.value.refusal.clause) == ("cell-taken", "TTT-3")
    assert table.position[Board].cells == ("", "", "", "", "X", "", "", "", "")


@pytest.mark.rule("TTT-4")
def test_a_full_board_is_a_draw() -> None:
    outcome = table_after(0, 1, 2, 4, 3, 5, 7, 6, 8).outcome
    assert outcome is not None
    assert (outcome.reason, outcome.drawn, outcome.winners, outcome.clause) == ("full", True, (), "TTT-4")


LINES = ((0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6))


def line_of_ann(line: tuple[int, ...]) -> tuple[int, ...]:
    """Cells by which ann completes a line with her third mark."""
    others = [cell for cell in range(9) if cell not in line]
    return (line[0], others[0], line[1], others[1], line[2])


@pytest.mark.rule("TTT-4", "TTT-5")
@pytest.mark.parametrize("line", LINES)
def test_whoever_completes_a_line_wins(line: tuple[int, ...]) -> None:
    table = table_after(*line_of_ann(line))
    assert table.outcome is not None
    assert (table.outcome.reason, table.outcome.winners, table.outcome.clause) == ("line", ("ann",), "TTT-5")
    with pytest.raises(GameOver):
        table.play("bob", Place(cell=8))


@pytest.mark.rule("TTT-5")
def test_a_line_on_the_last_cell_is_no_draw() -> None:
    """F16: the final move wins on a full board."""
    outcome = table_after(0, 1, 2, 3, 4, 6, 5, 7, 8).outcome
    assert outcome is not None
    assert (outcome.reason, outcome.winners) == ("line", ("ann",))


@pytest.mark.rule("TTT-M1")
@pytest.mark.parametrize("line", LINES)
def test_in_misere_whoever_completes_a_line_loses(line: tuple[int, ...]) -> None:
    outcome = table_after(*line_of_ann(line), variants=("misere",)).outcome
    assert outcome is not None
    assert outcome.ranking == (("bob",), ("ann",))
