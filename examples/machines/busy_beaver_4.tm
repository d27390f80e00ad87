; The busy beaver of 4 states and 2 symbols: of those that halt, none takes more steps than its 107,
; and none leaves more ones than its 13.
; Expect: state = H, tape = 10111111111111, steps = 107
;
;     loopwright subleq examples/machines/busy_beaver_4.tm

.blank 0

A 0 -> 1 R B
A 1 -> 1 L B
B 0 -> 1 L A
B 1 -> 0 L C
C 0 -> 1 R H
C 1 -> 1 L D
D 0 -> 1 R D
D 1 -> 0 R A
