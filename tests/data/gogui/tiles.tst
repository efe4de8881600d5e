# tiles, as GoGui plays it. Run by gogui-regress, and by our own runner.

10 gogui-rules_game_id
#? [Tiles]

20 gogui-rules_board_size
#? [5]

30 gogui-rules_side_to_move
#? [black]

40 gogui-rules_legal_moves
#? [A1 E5]

50 play b A1
60 gogui-rules_side_to_move
#? [black]

70 gogui-rules_legal_moves
#? [A2 B1 B2]

80 play b B2
90 gogui-rules_legal_moves
#? [A1 A2 A3 B1 B3 C1 C2 C3]

100 gogui-rules_board_gfx
#? [COLOR #fff4d8 A5 B5 C5 D5 E5 A4 B4 C4 D4 E4 A3 B3 C3 D3 E3 A2 B2 C2 D2 E2 A1 B1 C1 D1 E1.*SQUARE B2.*CIRCLE A1 A2 A3 B1 B3 C1 C2 C3.*TEXT Black moves: which light tile turns dark\?]

110 play b A1
120 history
#? [black a1b2:a1]

130 gogui-rules_board
#? [O \. \. \. X.*\. \. \. \. \..*\. \. \. \. \..*\. X \. \. \..*\. \. \. \. O]

140 undo
150 gogui-rules_side_to_move
#? [black]

160 gogui-rules_legal_moves
#? [A1 A2 A3 B1 B3 C1 C2 C3]

170 gg-undo 2
180 gogui-rules_legal_moves
#? [A1 E5]

# A disk that enters a dark tile becomes dark, and removes one.
190 set_position o---x/-----/-+---/-+---/x---o x
200 gogui-play_sequence b A1 b B2
210 gogui-rules_board_gfx
#? [COLOR #fff4d8 A5 B5 C5 D5 E5 A4 B4 C4 D4 E4 A3 C3 D3 E3 A2 C2 D2 E2 A1 B1 C1 D1 E1.*COLOR #603000 B3 B2.*SQUARE B2.*CIRCLE B3.*TEXT Black moves: which dark tile goes\?]

220 play b B3
230 gogui-rules_board
#? [O \. \. \. X.*\. \. \. \. \..*\. \? \. \. \..*\. X \. \. \..*\. \. \. \. O]

240 get_position
#? [o---x/-----/-\.---/-X---/----o o]

# Who cannot move loses.
250 set_position o-x/---/x-o x
260 solve
#? [win .*moves a1b2:a1.*pv .*]

270 genmove b
#? [A1|C3]

280 clear_board
290 perft 3
#? [54552]
