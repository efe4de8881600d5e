# reversi8, as GoGui plays it. Run by gogui-regress, and by our own runner.

10 gogui-rules_game_id
#? [Reversi8]

20 gogui-rules_board_size
#? [8]

30 gogui-rules_side_to_move
#? [white]

40 gogui-rules_legal_moves
#? [C4 D3 E6 F5]

50 play w F5
60 gogui-rules_board
#? [\. \. \. \. \. \. \. \..*\. \. \. \. \. \. \. \..*\. \. \. \. \. \. \. \..*\. \. \. O O O \. \..*\. \. \. X O \. \. \..*\. \. \. \. \. \. \. \..*\. \. \. \. \. \. \. \..*\. \. \. \. \. \. \. \.]

70 gogui-rules_legal_moves
#? [D6 F4 F6]

80 undo

# A forced pass is listed, and may be left out.
90 set_position XXXXXXXX/XXXXXXXX/XXXXXXXX/XXXXXXXX/XXXXXXXX/XXXXXXXX/XXXXXXXX/XXXXXXO- O
100 gogui-rules_legal_moves
#? [pass]

110 play b H8
120 gogui-rules_legal_moves
#? []

130 gogui-rules_final_result
#? [Black wins by 64\.]

140 final_score
#? [B\+64]

150 clear_board
160 gogui-play_sequence w F5 b D6 w C3
170 history
#? [white f5.*black d6.*white c3]

180 gg-undo 2
190 get_position
#? [--------/--------/--------/---XO---/---OOO--/--------/--------/-------- X]

200 perft 5
#? [2050]

# The field's form of a position.
210 set_position ---------------------------XO------OX--------------------------- O
220 gogui-rules_legal_moves
#? [C4 D3 E6 F5]
