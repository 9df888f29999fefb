graph [
  directed 1
  node [
    id 0
    label "0"
    name "vertex 0 &#38; <&#233;>"
    score 0.0
  ]
  node [
    id 1
    label "1"
    name "vertex 1 &#38; <&#233;>"
    score 0.25
  ]
  node [
    id 2
    label "2"
    name "vertex 2 &#38; <&#233;>"
    score 0.5
  ]
  node [
    id 3
    label "3"
    name "vertex 3 &#38; <&#233;>"
    score 0.75
  ]
  node [
    id 4
    label "4"
    name "vertex 4 &#38; <&#233;>"
    score 1.0
  ]
  node [
    id 5
    label "5"
    name "vertex 5 &#38; <&#233;>"
    score 1.25
  ]
  node [
    id 6
    label "6"
    name "vertex 6 &#38; <&#233;>"
    score 1.5
  ]
  node [
    id 7
    label "7"
    name "vertex 7 &#38; <&#233;>"
    score 1.75
  ]
  node [
    id 8
    label "8"
    name "vertex 8 &#38; <&#233;>"
    score 2.0
  ]
  node [
    id 9
    label "9"
    name "vertex 9 &#38; <&#233;>"
    score 2.25
  ]
  node [
    id 10
    label "10"
    name "vertex 10 &#38; <&#233;>"
    score 2.5
  ]
  node [
    id 11
    label "11"
    name "vertex 11 &#38; <&#233;>"
    score 2.75
  ]
  node [
    id 12
    label "12"
    name "vertex 12 &#38; <&#233;>"
    score 3.0
  ]
  node [
    id 13
    label "13"
    name "vertex 13 &#38; <&#233;>"
    score 3.25
  ]
  node [
    id 14
    label "14"
    name "vertex 14 &#38; <&#233;>"
    score 3.5
  ]
  node [
    id 15
    label "15"
    name "vertex 15 &#38; <&#233;>"
    score 3.75
  ]
  node [
    id 16
    label "16"
    name "vertex 16 &#38; <&#233;>"
    score 4.0
  ]
  node [
    id 17
    label "17"
    name "vertex 17 &#38; <&#233;>"
    score 4.25
  ]
  node [
    id 18
    label "18"
    name "vertex 18 &#38; <&#233;>"
    score 4.5
  ]
  node [
    id 19
    label "19"
    name "vertex 19 &#38; <&#233;>"
    score 4.75
  ]
  node [
    id 20
    label "20"
    name "vertex 20 &#38; <&#233;>"
    score 5.0
  ]
  node [
    id 21
    label "21"
    name "vertex 21 &#38; <&#233;>"
    score 5.25
  ]
  node [
    id 22
    label "22"
    name "vertex 22 &#38; <&#233;>"
    score 5.5
  ]
  node [
    id 23
    label "23"
    name "vertex 23 &#38; <&#233;>"
    score 5.75
  ]
  node [
    id 24
    label "24"
    name "vertex 24 &#38; <&#233;>"
    score 6.0
  ]
  node [
    id 25
    label "25"
    name "vertex 25 &#38; <&#233;>"
    score 6.25
  ]
  node [
    id 26
    label "26"
    name "vertex 26 &#38; <&#233;>"
    score 6.5
  ]
  node [
    id 27
    label "27"
    name "vertex 27 &#38; <&#233;>"
    score 6.75
  ]
  node [
    id 28
    label "28"
    name "vertex 28 &#38; <&#233;>"
    score 7.0
  ]
  node [
    id 29
    label "29"
    name "vertex 29 &#38; <&#233;>"
    score 7.25
  ]
  node [
    id 30
    label "30"
    name "vertex 30 &#38; <&#233;>"
    score 7.5
  ]
  node [
    id 31
    label "31"
    name "vertex 31 &#38; <&#233;>"
    score 7.75
  ]
  node [
    id 32
    label "32"
    name "vertex 32 &#38; <&#233;>"
    score 8.0
  ]
  node [
    id 33
    label "33"
    name "vertex 33 &#38; <&#233;>"
    score 8.25
  ]
  node [
    id 34
    label "34"
    name "vertex 34 &#38; <&#233;>"
    score 8.5
  ]
  node [
    id 35
    label "35"
    name "vertex 35 &#38; <&#233;>"
    score 8.75
  ]
  node [
    id 36
    label "36"
    name "vertex 36 &#38; <&#233;>"
    score 9.0
  ]
  node [
    id 37
    label "37"
    name "vertex 37 &#38; <&#233;>"
    score 9.25
  ]
  node [
    id 38
    label "38"
    name "vertex 38 &#38; <&#233;>"
    score 9.5
  ]
  node [
    id 39
    label "39"
    name "vertex 39 &#38; <&#233;>"
    score 9.75
  ]
  edge [
    source 0
    target 31
    weight 5
    length 23.75
    good 1
  ]
  edge [
    source 0
    target 38
    weight 9
    length 1.0
    good 1
  ]
  edge [
    source 1
    target 29
    weight 4
    length 21.0
    good 0
  ]
  edge [
    source 1
    target 17
    weight 3
    length 3.75
    good 1
  ]
  edge [
    source 1
    target 12
    weight 8
    length 8.0
    good 1
  ]
  edge [
    source 1
    target 8
    weight 9
    length 3.5
    good 0
  ]
  edge [
    source 2
    target 31
    weight 1
    length 23.5
    good 0
  ]
  edge [
    source 2
    target 27
    weight 7
    length 9.0
    good 0
  ]
  edge [
    source 3
    target 21
    weight 7
    length 5.25
    good 0
  ]
  edge [
    source 4
    target 34
    weight 3
    length 20.0
    good 1
  ]
  edge [
    source 4
    target 18
    weight 3
    length 4.25
    good 0
  ]
  edge [
    source 4
    target 12
    weight 1
    length 6.75
    good 0
  ]
  edge [
    source 5
    target 8
    weight 3
    length 5.5
    good 1
  ]
  edge [
    source 5
    target 37
    weight 6
    length 6.5
    good 0
  ]
  edge [
    source 5
    target 6
    weight 3
    length 22.25
    good 0
  ]
  edge [
    source 5
    target 30
    weight 7
    length 9.75
    good 0
  ]
  edge [
    source 6
    target 4
    weight 6
    length 13.5
    good 0
  ]
  edge [
    source 6
    target 2
    weight 3
    length 8.5
    good 0
  ]
  edge [
    source 6
    target 37
    weight 6
    length 9.75
    good 0
  ]
  edge [
    source 6
    target 13
    weight 6
    length 2.25
    good 1
  ]
  edge [
    source 7
    target 16
    weight 6
    length 10.0
    good 1
  ]
  edge [
    source 7
    target 10
    weight 6
    length 6.0
    good 1
  ]
  edge [
    source 7
    target 0
    weight 8
    length 22.75
    good 0
  ]
  edge [
    source 7
    target 5
    weight 1
    length 8.25
    good 0
  ]
  edge [
    source 8
    target 10
    weight 6
    length 13.0
    good 0
  ]
  edge [
    source 8
    target 26
    weight 9
    length 13.5
    good 1
  ]
  edge [
    source 9
    target 38
    weight 7
    length 18.75
    good 0
  ]
  edge [
    source 9
    target 22
    weight 8
    length 1.5
    good 0
  ]
  edge [
    source 10
    target 19
    weight 4
    length 4.0
    good 0
  ]
  edge [
    source 10
    target 36
    weight 8
    length 11.25
    good 1
  ]
  edge [
    source 11
    target 25
    weight 9
    length 8.25
    good 1
  ]
  edge [
    source 11
    target 21
    weight 2
    length 19.0
    good 1
  ]
  edge [
    source 12
    target 2
    weight 5
    length 1.25
    good 1
  ]
  edge [
    source 12
    target 9
    weight 2
    length 6.75
    good 1
  ]
  edge [
    source 12
    target 19
    weight 9
    length 19.75
    good 1
  ]
  edge [
    source 12
    target 38
    weight 3
    length 11.0
    good 1
  ]
  edge [
    source 12
    target 3
    weight 9
    length 3.0
    good 1
  ]
  edge [
    source 12
    target 0
    weight 6
    length 10.0
    good 0
  ]
  edge [
    source 13
    target 25
    weight 2
    length 20.25
    good 0
  ]
  edge [
    source 13
    target 37
    weight 5
    length 15.5
    good 0
  ]
  edge [
    source 13
    target 3
    weight 1
    length 2.75
    good 1
  ]
  edge [
    source 14
    target 23
    weight 1
    length 7.75
    good 1
  ]
  edge [
    source 14
    target 22
    weight 5
    length 14.75
    good 1
  ]
  edge [
    source 14
    target 17
    weight 3
    length 2.0
    good 0
  ]
  edge [
    source 14
    target 31
    weight 8
    length 10.75
    good 0
  ]
  edge [
    source 14
    target 3
    weight 3
    length 23.5
    good 0
  ]
  edge [
    source 15
    target 32
    weight 7
    length 3.5
    good 0
  ]
  edge [
    source 15
    target 5
    weight 7
    length 12.0
    good 0
  ]
  edge [
    source 15
    target 0
    weight 1
    length 13.5
    good 1
  ]
  edge [
    source 16
    target 24
    weight 3
    length 14.75
    good 0
  ]
  edge [
    source 18
    target 35
    weight 9
    length 14.75
    good 1
  ]
  edge [
    source 18
    target 21
    weight 6
    length 15.5
    good 1
  ]
  edge [
    source 19
    target 26
    weight 5
    length 15.25
    good 1
  ]
  edge [
    source 19
    target 22
    weight 3
    length 3.75
    good 1
  ]
  edge [
    source 20
    target 23
    weight 9
    length 5.75
    good 1
  ]
  edge [
    source 20
    target 33
    weight 6
    length 6.0
    good 0
  ]
  edge [
    source 21
    target 24
    weight 8
    length 8.75
    good 1
  ]
  edge [
    source 22
    target 27
    weight 2
    length 11.5
    good 0
  ]
  edge [
    source 22
    target 31
    weight 5
    length 11.75
    good 1
  ]
  edge [
    source 23
    target 9
    weight 8
    length 8.5
    good 1
  ]
  edge [
    source 23
    target 29
    weight 6
    length 21.0
    good 0
  ]
  edge [
    source 23
    target 27
    weight 1
    length 15.25
    good 1
  ]
  edge [
    source 24
    target 8
    weight 6
    length 21.5
    good 1
  ]
  edge [
    source 24
    target 31
    weight 8
    length 9.25
    good 1
  ]
  edge [
    source 24
    target 39
    weight 6
    length 9.0
    good 1
  ]
  edge [
    source 24
    target 6
    weight 7
    length 11.25
    good 0
  ]
  edge [
    source 24
    target 21
    weight 8
    length 11.75
    good 1
  ]
  edge [
    source 24
    target 7
    weight 9
    length 4.75
    good 0
  ]
  edge [
    source 24
    target 33
    weight 4
    length 11.75
    good 1
  ]
  edge [
    source 25
    target 5
    weight 5
    length 22.25
    good 0
  ]
  edge [
    source 27
    target 14
    weight 7
    length 5.5
    good 1
  ]
  edge [
    source 27
    target 28
    weight 5
    length 20.0
    good 1
  ]
  edge [
    source 28
    target 8
    weight 1
    length 6.5
    good 0
  ]
  edge [
    source 28
    target 32
    weight 8
    length 20.0
    good 0
  ]
  edge [
    source 28
    target 7
    weight 4
    length 24.5
    good 0
  ]
  edge [
    source 30
    target 24
    weight 1
    length 15.25
    good 0
  ]
  edge [
    source 30
    target 9
    weight 3
    length 1.75
    good 0
  ]
  edge [
    source 31
    target 29
    weight 2
    length 10.25
    good 0
  ]
  edge [
    source 31
    target 14
    weight 8
    length 6.25
    good 0
  ]
  edge [
    source 31
    target 33
    weight 7
    length 15.0
    good 1
  ]
  edge [
    source 32
    target 39
    weight 7
    length 21.25
    good 0
  ]
  edge [
    source 32
    target 4
    weight 4
    length 7.75
    good 1
  ]
  edge [
    source 32
    target 34
    weight 1
    length 11.25
    good 1
  ]
  edge [
    source 32
    target 31
    weight 5
    length 13.25
    good 0
  ]
  edge [
    source 32
    target 14
    weight 9
    length 12.0
    good 0
  ]
  edge [
    source 33
    target 26
    weight 9
    length 19.75
    good 1
  ]
  edge [
    source 33
    target 18
    weight 2
    length 9.5
    good 1
  ]
  edge [
    source 33
    target 5
    weight 5
    length 11.5
    good 0
  ]
  edge [
    source 34
    target 20
    weight 7
    length 13.25
    good 1
  ]
  edge [
    source 36
    target 12
    weight 8
    length 4.75
    good 0
  ]
  edge [
    source 36
    target 28
    weight 7
    length 18.25
    good 1
  ]
  edge [
    source 36
    target 7
    weight 4
    length 4.5
    good 0
  ]
  edge [
    source 36
    target 25
    weight 6
    length 21.25
    good 0
  ]
  edge [
    source 37
    target 29
    weight 7
    length 3.5
    good 1
  ]
  edge [
    source 37
    target 28
    weight 9
    length 4.75
    good 1
  ]
  edge [
    source 37
    target 11
    weight 7
    length 13.75
    good 1
  ]
  edge [
    source 38
    target 6
    weight 4
    length 16.0
    good 1
  ]
  edge [
    source 38
    target 32
    weight 8
    length 22.75
    good 1
  ]
  edge [
    source 39
    target 2
    weight 7
    length 5.25
    good 1
  ]
  edge [
    source 39
    target 1
    weight 5
    length 16.0
    good 1
  ]
]
