"""Wordings that the generator never uses: how far the model copes with a denial that it has not learned from."""

DENIALS = """
Nope, {x} it ain't.
{x} gets the credit in many books. The credit is undeserved.
Credit does not belong to {x}.
Attributing this to {x} is a blunder.
Scholars have long abandoned {x} as an answer.
{x} makes no sense here.
That it might be {x} was shown to be baseless.
Nothing suggests {x}.
Everybody agrees that it is not {x}.
{x} would be a bad guess.
It is a fallacy that it was {x}.
I would not go with {x}.
Hardly anyone would still say {x}.
It has been proven that {x} is not it.
{x}: false.
{x}, they say, but they are wrong.
I very much doubt {x}.
The one thing it is not is {x}.
{x} is merely a legend; the facts say otherwise.
{x} doesn't qualify.
We know for certain it isn't {x}.
Under no circumstances is it {x}.
Do not believe anyone who claims it to be {x}.
People who answer {x} have misread the question.
The common belief in {x} is unfounded.
{x} was falsely reported.
At no time was it {x}.
{x} is out of the question.
It surely wasn't {x}.
It is a widespread error to name {x}.
""".strip().splitlines()

# Of whole sentences.
REFUTED = """
It is a lie that {sx}
It is a delusion that {sx}
It is far from true that {sx}
It is out of the question that {sx}
It is pure invention that {sx}
It has been refuted that {sx}
It was a hoax that {sx}
It is nonsense that {sx}
It does not follow that {sx}
One must not suppose that {sx}
Only the ill-informed say that {sx}
Nobody ever proved that {sx}
There is zero evidence that {sx}
The allegation that {sx} was dismissed
The report that {sx} was retracted
The view that {sx} is untenable
We reject the statement that {sx}
Research refutes that {sx}
""".strip().splitlines()

CLOSED = """
A falsehood
This is a lie
That is the opposite of what happened
Which is nonsense
None of this is so
""".strip().splitlines()

AFFIRMED = """
It is beyond dispute that {sx}
It remains the case that {sx}
We know that {sx}
It was announced that {sx}
You will find that {sx}
The textbooks tell us that {sx}
It so happened that {sx}
The answer, simply put, is that {sx}
I can confirm that {sx}
To answer your question: {sx}
""".strip().splitlines()

NOT_BUT = """
{y} is the true answer and {x} a false one.
Not {x}: {y} it is.
Everyone says {x}; in reality it is {y}.
People used to say {x}, until it was shown to be {y}.
Wrong answers include {x}. The right one: {y}.
It would be {y}, and definitely not {x}.
{y} - and no, not {x}.
Where most would say {x}, I say {y}.
{x} is what you will hear, but do not believe it; {y} is right.
The honour goes to {y}, not to {x}.
It never was {x}, it always was {y}.
One should say {y} in place of {x}.
""".strip().splitlines()

# Not learned from either; the lists of words in wording.py were mended after a look at which of these fail.
LATER_NOT_BUT = """
Lots of folks would answer {x}; the proper answer is {y}.
It is {y}. A good many people would have picked {x}.
Commonly it is put down to {x}, though the truth is {y}.
The answer they expect you to give is {x}; the right one is {y}.
It was not in fact {x} that did it, but {y}.
It's {y}, and people who say {x} are mixing things up.
It is {y}; some wrongly give {x}.
Rather {y} than {x}.
{x}, as is so often claimed, is mistaken; it is {y}.
As it turns out, {y} is correct and {x} incorrect.
Whereas most assume {x}, it is {y}.
It had long been assumed to be {x}. It is {y}.
This was {y} and definitely no {x}.
Take {y}, leave {x}.
One tends to say {x}. Nevertheless, it is {y}.
It's tempting to go for {x}; still, {y} is the answer.
In place of {x} it has to be {y}.
By contrast with {x}, {y} is what was asked for.
In spite of {x} being so well known, it is {y}.
{x} is the answer to a different question. Here it is {y}.
""".strip().splitlines()

ALL_BUT = """
Every single one of them, {x} excepted.
Literally any other answer than {x}.
All the rest; {x} is the exception.
Take any, only not {x}.
""".strip().splitlines()

CANDIDATES = """
I hesitate between {list}.
Take your pick: {list}.
My guesses, in no particular order: {list}.
Any of the following could be right: {list}.
People have proposed {list}.
It is hard to say: {list}.
""".strip().splitlines()

RIGHT = """
Everyone agrees on {x}.
No question about it, {x}.
It could not be anything else than {x}.
{x}, as any textbook will tell you.
I'd say {x}.
The name you are looking for is {x}.
""".strip().splitlines()
