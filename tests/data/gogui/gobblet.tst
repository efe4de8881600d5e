# gobblet, as GoGui plays it. Run by gogui-regress, and by our own runner.

10 gogui-rules_game_id
#? [Gobblet]

20 gogui-rules_board_size
#? [6]

30 boardsize 6
40 gogui-rules_side_to_move
#? [white]

50 gogui-rules_legal_moves
#? [F1 F2 F3]

60 play w F3
70 gogui-rules_side_to_move
#? [white]

80 gogui-rules_legal_moves
#? [A1 A2 A3 A4 B1 B2 B3 B4 C1 C2 C3 C4 D1 D2 D3 D4]

90 gogui-rules_board_gfx
#? [COLOR.*LABEL F6 4 F5 4 F4 4 F3 4 F2 4 F1 4.*SQUARE F3.*CIRCLE A1 A2 A3 A4 B1 B2 B3 B4 C1 C2 C3 C4 D1 D2 D3 D4.*TEXT White moves: where to\?]

100 play w B2
110 gogui-rules_board
#? [\? \? \? \? \? X.*\? \? \? \? \? X.*\. \. \. \. \? X.*\. \. \. \. \? O.*\. O \. \. \? O.*\. \. \. \. \? O]

120 gogui-play_sequence b F6 b C3
130 history
#? [white 4@b2.*black 4@c3]

140 undo
150 gogui-rules_side_to_move
#? [black]

160 gogui-rules_legal_moves
#? [A1 A2 A3 A4 B1 B3 B4 C1 C2 C3 C4 D1 D2 D3 D4]

170 gg-undo 3
180 history
#? []

# Three in a row may be gobbled from the reserve.
190 set_position .,.,.,./b4,.,.,./.,.,.,./w4,w4,w3,. 432 443 b
200 gogui-rules_board_gfx
#? [COLOR.*LABEL F6 4 F5 4 F4 3 A3 4 F3 2 F2 3 A1 4 B1 4 C1 3 F1 4.*TEXT Black to move]

210 play b F6
220 gogui-rules_legal_moves
#? [A2 A4 B2 B3 B4 C1 C2 C3 C4 D1 D2 D3 D4]

230 undo

# Four in a row win.
240 set_position .,.,.,./b4,.,.,./b4,.,.,./w4,w4,w4,. 333 433 w
250 set_option depth 3
260 genmove w
#? [F3]

270 genmove w
#? [D1]

280 gogui-rules_final_result
#? [White wins\.]

290 gogui-rules_legal_moves
#? []

300 final_score
#? [W\+1]

310 clear_board
320 perft 3
#? [10080]
