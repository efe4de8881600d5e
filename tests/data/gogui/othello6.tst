# othello6, as GoGui plays it. Run by gogui-regress, and by our own runner.

10 gogui-rules_game_id
#? [Othello6]

20 gogui-rules_board_size
#? [6]

30 gogui-rules_side_to_move
#? [black]

40 gogui-rules_legal_moves
#? [B3 C2 D5 E4]

50 play b C2
60 gogui-rules_board
#? [\. \. \. \. \. \..*\. \. \. \. \. \..*\. \. X O \. \..*\. \. X X \. \..*\. \. X \. \. \..*\. \. \. \. \. \.]

70 gogui-rules_legal_moves
#? [B2 B4 D2]

80 undo

# A forced pass is listed, and may be left out.
90 set_position OOOOOO/OOOOOO/OOOOOO/OOOOOO/OOOOOO/OOOOX- X
100 gogui-rules_legal_moves
#? [pass]

102 gogui-rules_captured_count
#? [34 1]

104 gogui-rules_board_gfx
#? [LABEL F6 pass.*TEXT Black 1, White 34\. Black has to pass]

110 play w F6
120 gogui-rules_legal_moves
#? []

130 gogui-rules_final_result
#? [White wins by 36\.]

140 final_score
#? [W\+36]

# The exact value.
150 set_position OOOOOO/OXXXX-/OXOXXX/OOXXOX/OOOOX-/-OOO-- X
160 solve all
#? [score -12.*moves f5.*pv .*]

170 genmove b
#? [f5]

180 clear_board
190 gogui-play_sequence b C2 w D2 b E2
200 history
#? [black c2.*white d2.*black e2]

210 gg-undo 2
220 get_position
#? [------/--X---/--XX--/--XO--/------/------ O]

230 set_option depth 6
240 reg_genmove w
#? [b4]

250 perft 5
#? [1901]
