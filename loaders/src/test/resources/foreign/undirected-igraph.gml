Creator "igraph version 1.0.0 Wed Nov 25 19:14:28 2026"
Version 1
graph
[
  directed 0
  node
  [
    id 0
    name "vertex 0 &amp; <é>"
    score 0
  ]
  node
  [
    id 1
    name "vertex 1 &amp; <é>"
    score 0.25
  ]
  node
  [
    id 2
    name "vertex 2 &amp; <é>"
    score 0.5
  ]
  node
  [
    id 3
    name "vertex 3 &amp; <é>"
    score 0.75
  ]
  node
  [
    id 4
    name "vertex 4 &amp; <é>"
    score 1
  ]
  node
  [
    id 5
    name "vertex 5 &amp; <é>"
    score 1.25
  ]
  node
  [
    id 6
    name "vertex 6 &amp; <é>"
    score 1.5
  ]
  node
  [
    id 7
    name "vertex 7 &amp; <é>"
    score 1.75
  ]
  node
  [
    id 8
    name "vertex 8 &amp; <é>"
    score 2
  ]
  node
  [
    id 9
    name "vertex 9 &amp; <é>"
    score 2.25
  ]
  node
  [
    id 10
    name "vertex 10 &amp; <é>"
    score 2.5
  ]
  node
  [
    id 11
    name "vertex 11 &amp; <é>"
    score 2.75
  ]
  node
  [
    id 12
    name "vertex 12 &amp; <é>"
    score 3
  ]
  node
  [
    id 13
    name "vertex 13 &amp; <é>"
    score 3.25
  ]
  node
  [
    id 14
    name "vertex 14 &amp; <é>"
    score 3.5
  ]
  node
  [
    id 15
    name "vertex 15 &amp; <é>"
    score 3.75
  ]
  node
  [
    id 16
    name "vertex 16 &amp; <é>"
    score 4
  ]
  node
  [
    id 17
    name "vertex 17 &amp; <é>"
    score 4.25
  ]
  node
  [
    id 18
    name "vertex 18 &amp; <é>"
    score 4.5
  ]
  node
  [
    id 19
    name "vertex 19 &amp; <é>"
    score 4.75
  ]
  node
  [
    id 20
    name "vertex 20 &amp; <é>"
    score 5
  ]
  node
  [
    id 21
    name "vertex 21 &amp; <é>"
    score 5.25
  ]
  node
  [
    id 22
    name "vertex 22 &amp; <é>"
    score 5.5
  ]
  node
  [
    id 23
    name "vertex 23 &amp; <é>"
    score 5.75
  ]
  node
  [
    id 24
    name "vertex 24 &amp; <é>"
    score 6
  ]
  node
  [
    id 25
    name "vertex 25 &amp; <é>"
    score 6.25
  ]
  node
  [
    id 26
    name "vertex 26 &amp; <é>"
    score 6.5
  ]
  node
  [
    id 27
    name "vertex 27 &amp; <é>"
    score 6.75
  ]
  node
  [
    id 28
    name "vertex 28 &amp; <é>"
    score 7
  ]
  node
  [
    id 29
    name "vertex 29 &amp; <é>"
    score 7.25
  ]
  node
  [
    id 30
    name "vertex 30 &amp; <é>"
    score 7.5
  ]
  node
  [
    id 31
    name "vertex 31 &amp; <é>"
    score 7.75
  ]
  node
  [
    id 32
    name "vertex 32 &amp; <é>"
    score 8
  ]
  node
  [
    id 33
    name "vertex 33 &amp; <é>"
    score 8.25
  ]
  node
  [
    id 34
    name "vertex 34 &amp; <é>"
    score 8.5
  ]
  node
  [
    id 35
    name "vertex 35 &amp; <é>"
    score 8.75
  ]
  node
  [
    id 36
    name "vertex 36 &amp; <é>"
    score 9
  ]
  node
  [
    id 37
    name "vertex 37 &amp; <é>"
    score 9.25
  ]
  node
  [
    id 38
    name "vertex 38 &amp; <é>"
    score 9.5
  ]
  node
  [
    id 39
    name "vertex 39 &amp; <é>"
    score 9.75
  ]
  edge
  [
    source 31
    target 0
    weight 5
    length 23.75
    good 1
  ]
  edge
  [
    source 9
    target 0
    weight 9
    length 1
    good 1
  ]
  edge
  [
    source 36
    target 0
    weight 4
    length 21
    good 0
  ]
  edge
  [
    source 22
    target 1
    weight 3
    length 3.75
    good 1
  ]
  edge
  [
    source 39
    target 1
    weight 8
    length 8
    good 1
  ]
  edge
  [
    source 33
    target 1
    weight 9
    length 3.5
    good 0
  ]
  edge
  [
    source 34
    target 1
    weight 1
    length 23.5
    good 0
  ]
  edge
  [
    source 5
    target 2
    weight 7
    length 9
    good 0
  ]
  edge
  [
    source 35
    target 2
    weight 7
    length 5.25
    good 0
  ]
  edge
  [
    source 4
    target 2
    weight 3
    length 20
    good 1
  ]
  edge
  [
    source 25
    target 3
    weight 3
    length 4.25
    good 0
  ]
  edge
  [
    source 37
    target 3
    weight 1
    length 6.75
    good 0
  ]
  edge
  [
    source 27
    target 3
    weight 3
    length 5.5
    good 1
  ]
  edge
  [
    source 36
    target 3
    weight 6
    length 6.5
    good 0
  ]
  edge
  [
    source 14
    target 3
    weight 3
    length 22.25
    good 0
  ]
  edge
  [
    source 19
    target 3
    weight 7
    length 9.75
    good 0
  ]
  edge
  [
    source 13
    target 3
    weight 6
    length 13.5
    good 0
  ]
  edge
  [
    source 39
    target 3
    weight 3
    length 8.5
    good 0
  ]
  edge
  [
    source 6
    target 3
    weight 6
    length 9.75
    good 0
  ]
  edge
  [
    source 34
    target 4
    weight 6
    length 2.25
    good 1
  ]
  edge
  [
    source 15
    target 4
    weight 6
    length 10
    good 1
  ]
  edge
  [
    source 35
    target 4
    weight 6
    length 6
    good 1
  ]
  edge
  [
    source 38
    target 4
    weight 8
    length 22.75
    good 0
  ]
  edge
  [
    source 29
    target 4
    weight 1
    length 8.25
    good 0
  ]
  edge
  [
    source 30
    target 4
    weight 6
    length 13
    good 0
  ]
  edge
  [
    source 12
    target 4
    weight 9
    length 13.5
    good 1
  ]
  edge
  [
    source 13
    target 4
    weight 7
    length 18.75
    good 0
  ]
  edge
  [
    source 35
    target 5
    weight 8
    length 1.5
    good 0
  ]
  edge
  [
    source 36
    target 5
    weight 4
    length 4
    good 0
  ]
  edge
  [
    source 17
    target 5
    weight 8
    length 11.25
    good 1
  ]
  edge
  [
    source 10
    target 5
    weight 9
    length 8.25
    good 1
  ]
  edge
  [
    source 9
    target 5
    weight 2
    length 19
    good 1
  ]
  edge
  [
    source 19
    target 5
    weight 5
    length 1.25
    good 1
  ]
  edge
  [
    source 16
    target 5
    weight 2
    length 6.75
    good 1
  ]
  edge
  [
    source 23
    target 6
    weight 9
    length 19.75
    good 1
  ]
  edge
  [
    source 37
    target 6
    weight 3
    length 11
    good 1
  ]
  edge
  [
    source 30
    target 6
    weight 9
    length 3
    good 1
  ]
  edge
  [
    source 9
    target 6
    weight 6
    length 10
    good 0
  ]
  edge
  [
    source 36
    target 7
    weight 2
    length 20.25
    good 0
  ]
  edge
  [
    source 34
    target 7
    weight 5
    length 15.5
    good 0
  ]
  edge
  [
    source 32
    target 7
    weight 1
    length 2.75
    good 1
  ]
  edge
  [
    source 31
    target 7
    weight 1
    length 7.75
    good 1
  ]
  edge
  [
    source 10
    target 7
    weight 5
    length 14.75
    good 1
  ]
  edge
  [
    source 18
    target 8
    weight 3
    length 2
    good 0
  ]
  edge
  [
    source 27
    target 8
    weight 8
    length 10.75
    good 0
  ]
  edge
  [
    source 32
    target 8
    weight 3
    length 23.5
    good 0
  ]
  edge
  [
    source 20
    target 9
    weight 7
    length 3.5
    good 0
  ]
  edge
  [
    source 26
    target 9
    weight 7
    length 12
    good 0
  ]
  edge
  [
    source 21
    target 9
    weight 1
    length 13.5
    good 1
  ]
  edge
  [
    source 11
    target 9
    weight 3
    length 14.75
    good 0
  ]
  edge
  [
    source 34
    target 9
    weight 9
    length 14.75
    good 1
  ]
  edge
  [
    source 16
    target 9
    weight 6
    length 15.5
    good 1
  ]
  edge
  [
    source 23
    target 9
    weight 5
    length 15.25
    good 1
  ]
  edge
  [
    source 26
    target 10
    weight 3
    length 3.75
    good 1
  ]
  edge
  [
    source 39
    target 10
    weight 9
    length 5.75
    good 1
  ]
  edge
  [
    source 30
    target 10
    weight 6
    length 6
    good 0
  ]
  edge
  [
    source 35
    target 11
    weight 8
    length 8.75
    good 1
  ]
  edge
  [
    source 15
    target 11
    weight 2
    length 11.5
    good 0
  ]
  edge
  [
    source 37
    target 11
    weight 5
    length 11.75
    good 1
  ]
  edge
  [
    source 36
    target 12
    weight 8
    length 8.5
    good 1
  ]
  edge
  [
    source 32
    target 13
    weight 6
    length 21
    good 0
  ]
  edge
  [
    source 39
    target 13
    weight 1
    length 15.25
    good 1
  ]
  edge
  [
    source 28
    target 13
    weight 6
    length 21.5
    good 1
  ]
  edge
  [
    source 33
    target 13
    weight 8
    length 9.25
    good 1
  ]
  edge
  [
    source 37
    target 14
    weight 6
    length 9
    good 1
  ]
  edge
  [
    source 24
    target 14
    weight 7
    length 11.25
    good 0
  ]
  edge
  [
    source 19
    target 15
    weight 8
    length 11.75
    good 1
  ]
  edge
  [
    source 25
    target 15
    weight 9
    length 4.75
    good 0
  ]
  edge
  [
    source 18
    target 16
    weight 4
    length 11.75
    good 1
  ]
  edge
  [
    source 21
    target 16
    weight 5
    length 22.25
    good 0
  ]
  edge
  [
    source 35
    target 17
    weight 7
    length 5.5
    good 1
  ]
  edge
  [
    source 28
    target 18
    weight 5
    length 20
    good 1
  ]
  edge
  [
    source 24
    target 18
    weight 1
    length 6.5
    good 0
  ]
  edge
  [
    source 36
    target 19
    weight 8
    length 20
    good 0
  ]
  edge
  [
    source 33
    target 19
    weight 4
    length 24.5
    good 0
  ]
  edge
  [
    source 27
    target 20
    weight 1
    length 15.25
    good 0
  ]
  edge
  [
    source 21
    target 20
    weight 3
    length 1.75
    good 0
  ]
  edge
  [
    source 36
    target 20
    weight 2
    length 10.25
    good 0
  ]
  edge
  [
    source 31
    target 21
    weight 8
    length 6.25
    good 0
  ]
  edge
  [
    source 38
    target 21
    weight 7
    length 15
    good 1
  ]
  edge
  [
    source 38
    target 22
    weight 7
    length 21.25
    good 0
  ]
  edge
  [
    source 29
    target 22
    weight 4
    length 7.75
    good 1
  ]
  edge
  [
    source 26
    target 22
    weight 1
    length 11.25
    good 1
  ]
  edge
  [
    source 29
    target 23
    weight 5
    length 13.25
    good 0
  ]
  edge
  [
    source 39
    target 23
    weight 9
    length 12
    good 0
  ]
  edge
  [
    source 30
    target 23
    weight 9
    length 19.75
    good 1
  ]
  edge
  [
    source 39
    target 24
    weight 2
    length 9.5
    good 1
  ]
  edge
  [
    source 37
    target 25
    weight 5
    length 11.5
    good 0
  ]
  edge
  [
    source 31
    target 25
    weight 7
    length 13.25
    good 1
  ]
  edge
  [
    source 28
    target 25
    weight 8
    length 4.75
    good 0
  ]
  edge
  [
    source 27
    target 26
    weight 7
    length 18.25
    good 1
  ]
  edge
  [
    source 31
    target 26
    weight 4
    length 4.5
    good 0
  ]
  edge
  [
    source 34
    target 26
    weight 6
    length 21.25
    good 0
  ]
  edge
  [
    source 36
    target 28
    weight 7
    length 3.5
    good 1
  ]
  edge
  [
    source 37
    target 29
    weight 9
    length 4.75
    good 1
  ]
  edge
  [
    source 35
    target 29
    weight 7
    length 13.75
    good 1
  ]
  edge
  [
    source 31
    target 29
    weight 4
    length 16
    good 1
  ]
  edge
  [
    source 34
    target 31
    weight 8
    length 22.75
    good 1
  ]
  edge
  [
    source 37
    target 31
    weight 7
    length 5.25
    good 1
  ]
  edge
  [
    source 36
    target 35
    weight 5
    length 16
    good 1
  ]
]
