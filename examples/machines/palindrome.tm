; Is the word a palindrome? Takes away the first symbol, and the last if it is the same.
; Expect: state = yes, tape = _
;
;     loopwright subleq examples/machines/palindrome.tm --tape abaab

.tape abba

first a -> _ R has_a            ; remember the first symbol in the state
first b -> _ R has_b
first _ -> _ S yes              ; nothing is left

has_a a -> a R has_a            ; go to the end
has_a b -> b R has_a
has_a _ -> _ L last_a
has_b a -> a R has_b
has_b b -> b R has_b
has_b _ -> _ L last_b

last_a a -> _ L back            ; the last symbol is the same
last_a b -> b S no
last_a _ -> _ S yes             ; the first symbol was the last one as well
last_b b -> _ L back
last_b a -> a S no
last_b _ -> _ S yes

back a -> a L back              ; go to the beginning
back b -> b L back
back _ -> _ R first
