"""The arrows of revisions, compared as text: full, as a stub, on a track."""

from tests.support.journals.tree_pictures import across, arrows, crossing, lines, one_target, picture, too_many


def test_arrows_reach_their_nodes_behind_the_lanes_they_cross() -> None:
    assert picture(arrows().events, 60) == lines(
        """
        |     ┊●  1  one                                 ↻ by 5
        | ╭───►●  2  two                                 ↻ by 4  10s
        | │    ├─╮ alpha                                 3 of 3  30s
        | │ ╭──│►●  1  a1                                ↻ by 2  10s
        | │╭┴──│►↺  2  a2                             ↻ by 3 ↺1  10s
        | │╰───│─↺  3  a3                                    ↺2  10s
        | │    ●  3  three                                       10s
        | ╰────↺  4  four                                    ↺2  10s
        |     ┊↺  5  five                                    ↺1  10s
        |      ○  6 expected
        """
    )


def test_with_one_track_the_newest_arrow_is_drawn_and_those_beside_it_are_stubs() -> None:
    assert picture(arrows().events) == lines(
        """
        | ╭►●  1 one                               ↻5
        | │┊●  2 two                               ↻4
        | │ ├─╮ alpha                          3 of 3
        | │ │┊●  1 a1                              ↻2
        | │ │┊↺  2 a2                           ↻3 ↺1
        | │ │┊↺  3 a3                              ↺2
        | │ ●  3 three
        | │┊↺  4 four                              ↺2
        | ╰─↺  5 five
        |   ○  6 expected
        """
    )


def test_with_one_track_an_arrow_is_drawn_until_a_newer_one_needs_its_place() -> None:
    events = arrows().events
    assert picture(events[:6]) == lines(
        """
        |   ●  1 one
        |   ●  2 two
        |   ├─╮ alpha                          3 of 3
        |   │┊●  1 a1                              ↻2
        | ╭─│►↺  2 a2                              ↻3
        | ╰─│─↺  3 a3
        |   ●  3 three
        |   ○ 4–6 expected
        """
    )


def test_with_one_track_the_selected_arrow_takes_it() -> None:
    assert picture(arrows().events, selected=4) == lines(
        """
        |  ┊●  1 one                               ↻5
        |  ┊●  2 two                               ↻4
        |   ├─╮ alpha                          3 of 3
        |   │┊●  1 a1                              ↻2
        | ╭─│►↺  2 a2                              ↻3
        |▌╰─│─↺  3 a3
        |   ●  3 three
        |  ┊↺  4 four                              ↺2
        |  ┊↺  5 five                              ↺1
        |   ○  6 expected
        """
    )


def test_an_arrow_across_lanes_is_a_stub() -> None:
    assert picture(across().events, 60) == lines(
        """
        |    ●  1  one
        |   ┊●  2  two                                   ↻ by 6  10s
        |    ├─╮ alpha                                   6 of 6  20s
        |    │ ●  1  a1                                          10s
        |    │┊↺  6  a6 of trunk 2                       2→6 ↺2  10s
        | ╭─►●  3  three                                 ↻ by 4  10s
        | ╰──↺  4  four                                      ↺3  10s
        """
    )


def test_an_arrow_across_lanes_is_drawn_in_full_while_its_reviser_is_selected() -> None:
    assert picture(across().events, 60, selected=3) == lines(
        """
        |    ●  1  one
        | ╭─►●  2  two                                   ↻ by 6  10s
        | │  ├─╮ alpha                                   6 of 6  20s
        | │  │ ●  1  a1                                          10s
        |▌╰──│─↺  6  a6 of trunk 2                       2→6 ↺2  10s
        | ╭─►●  3  three                                 ↻ by 4  10s
        | ╰──↺  4  four                                      ↺3  10s
        """
    )


def test_an_arrow_across_lanes_is_drawn_in_full_while_its_target_is_selected() -> None:
    assert picture(across().events, 60, selected=1) == lines(
        """
        |    ●  1  one
        |▌╭─►●  2  two                                   ↻ by 6  10s
        | │  ├─╮ alpha                                   6 of 6  20s
        | │  │ ●  1  a1                                          10s
        | ╰──│─↺  6  a6 of trunk 2                       2→6 ↺2  10s
        | ╭─►●  3  three                                 ↻ by 4  10s
        | ╰──↺  4  four                                      ↺3  10s
        """
    )


def test_an_arrow_from_a_folded_branch_starts_at_its_row() -> None:
    assert picture(across().events, 60, selected=1, folded=(1,)) == lines(
        """
        |    ●  1  one
        |▌╭─►●  2  two                                   ↻ by 6  10s
        | ╰──├─ alpha  ●↺                                6 of 6  20s
        | ╭─►●  3  three                                 ↻ by 4  10s
        | ╰──↺  4  four                                      ↺3  10s
        """
    )


def test_arrows_to_one_target_share_a_track() -> None:
    assert picture(one_target().events, 60) == lines(
        """
        | ╭─►●  1  one                                   ↻ by 5
        | │  ●  2  two                                           10s
        | ├──↺  3  th 3                                      ↺1  10s
        | ├──↺  4  th 4                                      ↺1  10s
        | ╰──↺  5  th 5                                      ↺1  10s
        """
    )


def test_arrows_that_cross_have_tracks_of_their_own() -> None:
    assert picture(crossing().events, 60) == lines(
        """
        |   ╭─►●  1  one                                 ↻ by 7
        |  ╭┼─►●  2  th 2                                ↻ by 8  10s
        | ╭┼┼─►●  3  th 3                                ↻ by 6  10s
        | ││├──↺  4  th 4                                    ↺1  10s
        | │├┼──↺  5  th 5                                    ↺2  10s
        | ╰┼┼──↺  6  th 6                                    ↺3  10s
        |  │╰──↺  7  th 7                                    ↺1  10s
        |  ╰───↺  8  th 8                                    ↺2  10s
        |      ○  9 expected
        """
    )


def test_an_arrow_that_finds_no_track_is_a_stub() -> None:
    assert picture(too_many().events, 60) == lines(
        """
        |   ╭─►●  1  one                                 ↻ by 5
        |  ╭┼─►●  2  th 2                                ↻ by 6  10s
        | ╭┼┼─►●  3  th 3                                ↻ by 7  10s
        | │││ ┊●  4  th 4                                ↻ by 8  10s
        | ││╰──↺  5  th 5                                    ↺1  10s
        | │╰───↺  6  th 6                                    ↺2  10s
        | ╰────↺  7  th 7                                    ↺3  10s
        |     ┊↺  8  th 8                                    ↺4  10s
        """
    )


def test_an_arrow_that_finds_no_track_takes_the_outermost_while_selected() -> None:
    assert picture(too_many().events, 60, selected=7) == lines(
        """
        |   ╭─►●  1  one                                 ↻ by 5
        |  ╭┼─►●  2  th 2                                ↻ by 6  10s
        |  ││ ┊●  3  th 3                                ↻ by 7  10s
        | ╭┼┼─►●  4  th 4                                ↻ by 8  10s
        | ││╰──↺  5  th 5                                    ↺1  10s
        | │╰───↺  6  th 6                                    ↺2  10s
        | │   ┊↺  7  th 7                                    ↺3  10s
        |▌╰────↺  8  th 8                                    ↺4  10s
        """
    )
