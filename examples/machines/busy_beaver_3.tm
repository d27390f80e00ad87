; A busy beaver of 3 states and 2 symbols: of those that halt, none takes more steps than its 21.
; It leaves 5 ones. (The most ones are 6: another machine writes these, in fewer steps.)
; Expect: state = H, tape = 11111, steps = 21
;
;     loopwright subleq examples/machines/busy_beaver_3.tm

.blank 0

A 0 -> 1 R B
A 1 -> 1 R H
B 0 -> 1 L B
B 1 -> 0 R C
C 0 -> 1 L C
C 1 -> 1 L A
