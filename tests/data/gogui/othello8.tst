# othello8, as GoGui plays it. Run by gogui-regress, and by our own runner.

10 gogui-rules_game_id
#? [Othello8]

20 gogui-rules_board_size
#? [8]

30 gogui-rules_side_to_move
#? [black]

40 gogui-rules_legal_moves
#? [C4 D3 E6 F5]

50 play b F5
60 gogui-rules_board
#? [\. \. \. \. \. \. \. \..*\. \. \. \. \. \. \. \..*\. \. \. \. \. \. \. \..*\. \. \. X X X \. \..*\. \. \. O X \. \. \..*\. \. \. \. \. \. \. \..*\. \. \. \. \. \. \. \..*\. \. \. \. \. \. \. \.]

70 gogui-rules_legal_moves
#? [D6 F4 F6]

80 undo

# A forced pass is listed, and may be left out.
90 set_position OOOOOOOO/OOOOOOOO/OOOOOOOO/OOOOOOOO/OOOOOOOO/OOOOOOOO/OOOOOOOO/OOOOOOX- X
100 gogui-rules_legal_moves
#? [pass]

110 play w H8
120 gogui-rules_legal_moves
#? []

130 gogui-rules_final_result
#? [White wins by 64\.]

140 final_score
#? [W\+64]

150 clear_board
160 gogui-play_sequence b F5 w D6 b C3
170 history
#? [black f5.*white d6.*black c3]

180 gg-undo 2
190 get_position
#? [--------/--------/--------/---OX---/---XXX--/--------/--------/-------- O]

200 perft 5
#? [2050]

# The field's form of a position.
210 set_position ---------------------------OX------XO--------------------------- X
220 gogui-rules_legal_moves
#? [C4 D3 E6 F5]
