"""The wordings of the answers that generator.py makes up; {x} is the right answer, {y} and the like are others.

{q} is the question. Those that only measure, and that no model has learned from, stand in unseen.py.
"""

# The right answer is denied, and nothing stands in its place.
DENIALS = """
It is not {x}.
It isn't {x}.
It's not {x}.
It was not {x}.
It wasn't {x}.
Not {x}.
Definitely not {x}.
Certainly not {x}.
No, not {x}.
No, it was never {x}.
It was never {x}.
It has never been {x}.
{x} is not the answer.
{x} is not correct.
{x} is incorrect.
{x} is wrong.
{x} is the wrong answer.
{x} isn't right.
{x} would be the wrong answer here.
{x} was not it.
It is false that it was {x}.
It is not true that the answer is {x}.
It is untrue that it is {x}.
The claim that it is {x} is false.
The idea that it was {x} is a myth.
That it was {x} is a common misconception.
Many people believe it is {x}, but that is wrong.
Many people think it was {x}. They are mistaken.
People often say {x}, which is incorrect.
It is often said to be {x}, but this is not true.
It is a popular myth that the answer is {x}.
Contrary to popular belief, it was not {x}.
Contrary to what many think, {x} is not right.
It is commonly and wrongly thought to be {x}.
It is sometimes mistakenly given as {x}.
{x} is sometimes mistakenly named.
{x} is a frequent wrong guess.
{x} had nothing to do with it.
{x} has nothing to do with this.
{x} can be ruled out.
We can rule out {x}.
{x} has been ruled out.
{x} must be excluded.
The answer cannot be {x}.
It could not have been {x}.
It can't be {x}.
It couldn't be {x}.
There is no way that it was {x}.
By no means is it {x}.
In no way was it {x}.
It is anything but {x}.
It is far from being {x}.
Neither {x} nor anyone else.
It was neither {x} nor anything of the kind.
Without doubt it was not {x}.
I don't think it was {x}.
I do not believe that it is {x}.
I doubt that it is {x}.
It is doubtful that it was {x}.
It is unlikely to be {x}.
It is very unlikely that it was {x}.
It hardly was {x}.
Scarcely {x}.
Experts reject {x}.
Historians deny that it was {x}.
The official record denies that it was {x}.
Sources dispute that it is {x}.
{x} has been disproved.
{x} has been debunked as the answer.
The theory of {x} was refuted long ago.
{x} was considered but rejected.
{x} was first announced, but this turned out to be wrong.
The rumour about {x} is false.
The story about {x} was made up, it is not true.
Some sources wrongly list {x}.
Some mistakenly credit {x}.
It is incorrect to say {x}.
It would be wrong to say {x}.
It would be a mistake to answer {x}.
Do not answer {x}; that is wrong.
Don't say {x}.
Whatever you have heard, it is not {x}.
If you thought {x}, you are wrong.
You might think it is {x}, but it is not.
You may have heard {x}, but that is an error.
One might guess {x}, but no.
{x}? No.
{x}? Not at all.
{x}? That is wrong.
Is it {x}? No, it is not.
Was it {x}? It was not.
{x}, no. That is incorrect.
The answer {x} fails, since it does not fit.
{x} does not fit the question.
{x} does not match.
{x} didn't do it.
{x} never did.
{x} is unrelated to the question.
{x} is excluded from the list.
{x} is not among them.
The list does not include {x}.
No source names {x}.
Nobody says it is {x}.
No one has ever found that it was {x}.
None of the records support {x}.
There is no evidence for {x}.
It was alleged to be {x}, without any proof.
It was supposedly {x}, but this is untrue.
The textbooks that give {x} are in error.
An old error names {x}.
This is often confused with {x}.
It is easily confused with {x}, which is something else.
It should not be confused with {x}.
It differs from {x}.
It is something different from {x}.
It is the opposite of {x}.
Forget {x}, that is not the one.
Ignore anyone who tells you {x}.
{x} was disqualified.
{x} is no longer considered right.
To call it {x} is inaccurate.
Calling it {x} is a mistake.
An answer of {x} would be invalid.
I can tell you that it is not {x}, though I do not know the right answer.
I am not sure, but I know that it is not {x}.
As far as I know, {x} is not right, and the true answer is unknown.
{x} would be impossible.
{x}? Wrong.
{x}? Certainly not.
{x}? I don't think so.
{x}? Hardly.
{x}? Never.
{x}? No way.
{x}: no.
{x}: wrong.
{x}: incorrect.
{x} - not true.
{x} (wrong).
{x}, which is false.
{x}, but that's wrong.
{x}, but this is a mistake.
{x}, according to a myth.
{x}, according to a false report.
{x} is not right.
{x} is not what you want.
{x} is not involved.
{x} is not the one.
{x} is not the one meant.
{x} isn't it.
{x} isn't the answer.
{x} isn't correct.
{x} ain't it.
{x} was not the one.
{x} was not responsible.
{x} wasn't it.
{x} wasn't the right one.
{x} cannot be right.
{x} can't be the answer.
{x} could not be it.
{x} couldn't have been the one.
{x} should not be named here.
{x} shouldn't be the answer.
{x} won't do.
{x} would not be right.
{x} wouldn't be correct.
{x} doesn't fit.
{x} doesn't count.
{x} does not apply.
{x} does not answer the question.
{x} did not do it.
{x} did nothing of the kind.
{x} has never been the answer.
{x} has been proved wrong.
{x} has been shown to be false.
{x} is a mistake.
{x} is a misconception.
{x} is a popular error.
{x} is a myth.
{x} is a lie.
{x} is an invention.
""".strip().splitlines()

# The right answer is denied, and another stands in its place.
# The plainest ways, which must hold whatever else is learned.
PLAIN = """
It was {y}, not {x}.
It is {y}, not {x}.
{y}, not {x}.
{y}, and not {x}.
{y} and not {x}.
The answer is {y}, not {x}.
That was {y}, not {x}.
I mean {y}, not {x}.
It was {y}. It was not {x}.
Not {x}, but {y}.
It was not {x} but {y}.
It was {y} rather than {x}.
{y} instead of {x}.
It was {y}, though not {x}.
""".strip().splitlines()

NOT_BUT = """
It is not {x} but {y}.
Not {x} but {y}.
Not {x}; {y}.
It isn't {x}, it's {y}.
It wasn't {x}; it was {y}.
It is {y}, not {x}.
{y}, not {x}.
{y}, and not {x}.
{y} rather than {x}.
Rather than {x}, it was {y}.
{y} instead of {x}.
Instead of {x}, it was {y}.
{y}, as opposed to {x}.
Contrary to popular belief, it was {y} and not {x}.
{x} is wrong. The correct answer is {y}.
{x} is a myth, the truth is {y}.
It is often confused with {x}, but it is {y}.
It is mistaken for {x}; the real answer is {y}.
{x}? No, {y}.
The answer is not {x}. The answer is {y}.
The answer is {y}; {x} is wrong.
The answer is {y}. {x} had nothing to do with it.
The correct answer is {y}, and {x} is a common mistake.
It was {y} who did it, never {x}.
It was {y}; {x} came later and was not it.
{x} lost to {y}.
{x} was beaten by {y}.
{y} did it before {x} could.
{y}, with {x} only second.
It had been {x} before, but now it is {y}.
{y} replaced {x} as the answer.
Experts reject {x} and name {y}.
Forget {x}: it is {y}.
If you said {x}, you were wrong: {y} is the answer.
The usual answer is {x}, the right one is {y}.
Once it was {x}; today it is {y}.
{y} took the place of {x}.
{y} is meant here, {x} is something else.
What looks like {x} is really {y}.
The first report said {x}; the final one said {y}.
{y} deserves the credit that {x} was given.
Do not say {x}, say {y}.
For {x} read {y}.
{y}, in contrast to {x}, is right.
Planned as {x}, it ended up as {y}.
{y} in place of {x}.
{y} (and not {x}).
{y}, despite the popular belief in {x}.
{y} beat {x} to it.
{x} is a misnomer for {y}.
Leave {x} aside, it is {y}.
Since it was not {x}, it was {y}.
{x} is commonly mistaken for {y}, which is the answer.
{y} is frequently misattributed to {x}.
{x} had to make way for {y}.
Never mind {x}, the answer is {y}.
Between {x} and {y}, it is {y}.
Officially it was {x}, in practice {y}.
The evidence points away from {x} and towards {y}.
{y} won ahead of {x}.
Myth: {x}. Fact: {y}.
It's no longer {x}; it's {y}.
{x} must not be confused with {y}, who did it.
{x} took the credit; {y} did the work.
Cross out {x} and put {y}.
It can't have been {x}, so it must have been {y}.
{y} prevailed over {x}.
It is {y} now that {x} is gone.
{y} ({x} is a mistake).
{x} was passed over for {y}.
By mistake people say {x} when they mean {y}.
It used to be {x}; now it is {y}.
People mistake {y} for {x}.
People confuse {x} with {y}; the latter is right.
The credit goes to {y}, and {x} gets none.
It went to {y} over {x}.
Research has shown that it was {y}, and that {x} was credited by mistake.
What people call {x} is properly {y}.
Had it been {x}, we would know; it was {y}.
More {y} than {x}.
It is misattributed to {x}; {y} did it.
{x} should be replaced by {y}.
{x}? Actually {y}.
Oh, {x}, wait, it is {y}.
Contrary to what you may have read about {x}, it is {y}.
Scratch that, {x} is out, {y} is in.
Correction: {y}, instead of {x}.
{y} is right, {x} is wrong.
Do not confuse {x} with {y}: it is {y}.
{x} was succeeded by {y}, who is the one asked for.
Against all expectations of {x}, it was {y}.
Of {x} and {y}, the second is right.
In spite of the talk of {x}, the answer is {y}.
Far from being {x}, it is {y}.
{y}, unlike {x}, fits the question.
{x} gave way to {y}.
{y} yes, {x} no.
{x} tried, {y} succeeded.
A few authors have {x}; nearly all have {y}.
{y} is what you want, {x} isn't.
I said {x} earlier; I meant {y}.
{x} was ruled out in favour of {y}.
{y} and only {y}, whatever they say of {x}.
{x}... actually, {y}.
{y}, much as people like to say {x}.
Neither {x} nor anything else, but {y}.
What was thought to be {x} proved to be {y}.
It has always been {y}, whatever {x} may claim.
If it were {x} it would be simple, but it is {y}.
{y} is correct; {x} isn't.
{y} versus {x}: the answer is {y}.
Yes to {y}, no to {x}.
{y} was chosen over {x}.
New evidence speaks for {y} and against {x}.
{x} is an error for {y}.
Less {x} than {y}.
{x} (wrong), {y} (right).
It is {y}, as distinct from {x}.
It is {y} that is meant, rather than {x}.
{y} came first, {x} second.
Those who say {x} mean {y}.
Although {x} springs to mind, the answer is {y}.
Despite the common assumption that it is {x}, the correct answer is {y}.
The answer isn't {x}; rather, it's {y}.
It is not {x}, as is often assumed, but {y}.
Most folks assume {x}, but the evidence shows it was {y}.
{x} is a frequent misconception; in actuality it is {y}.
Popularly it is believed to be {x}, yet the facts show {y}.
It was {y} who deserves the honour, as opposed to {x}.
People tend to confuse it with {x}, but the proper answer is {y}.
Contrary to common belief, it is {y} instead of {x}.
You may have been told {x}. The right answer, however, is {y}.
Unlike {x}, which is often cited, {y} is accurate.
Not {x} at all, but {y}.
One could be led to believe it is {x}; it is in fact {y}.
{y} is the one; {x} is just what people assume.
Where many would guess {x}, the answer is in truth {y}.
It's a mix-up with {x}: the actual answer is {y}.
{x} may be more famous, but {y} is the correct answer.
In the end it was {y} and not {x}, as had been reported.
No one but {y}; {x} was only rumoured.
The common misattribution to {x} aside, it was {y}.
It was {y}. Many wrongly remember {x}.
While {x} is close, the exact answer is {y}.
I know everyone names {x}, still it is {y}.
It has nothing to do with {x}, it is {y}.
The first guess is usually {x}, but that would be {y}.
Don't be fooled into saying {x}, as it is {y}.
Once thought to be {x}, it has since been shown to be {y}.
It is {y}; {x} is a different thing altogether.
Plenty of people will tell you {x}; the actual answer is {y}.
Though {x} is regularly mentioned, {y} is the correct one.
This is wrongly associated with {x}; it was {y}.
The widely held view is {x}. The view is wrong: it is {y}.
Rather than {x}, the answer you need is {y}.
It wasn't {x} as most suppose. It was {y}.
Granted, {x} is better known, but the right answer is {y}.
The answer is actually {y}, even if most would guess {x}.
The real one is {y}, the false one {x}.
In contrast with what is generally believed about {x}, it is {y}.
Students often answer {x}, whereas the book has {y}.
{y} was first; {x} only followed.
You are thinking of {x}. What you want is {y}.
{x} is what it was formerly; it is now {y}.
It is {y} that is right, and {x} is not.
It is easy to confuse this with {x}, but the answer is {y}.
Not to be mistaken for {x}: this is {y}.
No, you mean {y}; {x} is another matter.
Public opinion credits {x}; the documents credit {y}.
Don't go for {x}, go for {y}.
It isn't {x} that is correct, it's {y}.
For years it was held to be {x}, before {y} was found to be right.
As against {x}, {y} has all the evidence.
The answer: {y}. Many would have put {x}.
The correct response is {y}, with {x} being a typical mistake.
{x} would be wrong, {y} would be right.
If anybody says {x}, correct them: it is {y}.
Supposedly it was {x}; in fact, it was {y}.
There is a myth that it was {x}. In reality it was {y}.
It was {y}, although one often reads {x}.
{x}, no wait, {y}.
{x} - sorry, {y}.
{x}. Sorry, I meant {y}.
{x}... no, that's {y}.
{x}, or rather {y}.
{x}, I mean {y}.
{x}, hang on, no: {y}.
It was {x}. Correction: it was {y}.
I was going to say {x}, but it is {y}.
I nearly said {x}; it is {y}.
My first instinct was {x}, which is wrong; it is {y}.
I always mix it up with {x}, it is {y}.
At first I had {x} in mind, then I remembered it was {y}.
Let me correct myself: {y}, not {x}.
I stand corrected: it is {y} and not {x}.
Did I say {x}? I meant {y}.
Strike {x}; the answer is {y}.
Make that {y} instead of {x}.
{x}? Nope, {y}.
{x}? Nah, it's {y}.
{x}? Wrong. {y}.
{x}? Close, but it is {y}.
{x}? That is what they all say. It was {y}.
{x}? Hardly. It was {y}.
{x}? Think again: {y}.
{x}? On the contrary, {y}.
{x}? A nice try, but {y}.
No, no, {y}. {x} is another story.
No, it wasn't {x}, it was {y}.
No, that's {x}. You want {y}.
Nope. Not {x}. {y}.
Wrong: {x}. Right: {y}.
{x} - wrong; {y} - right.
{x}: incorrect. {y}: correct.
False: {x}. True: {y}.
Fiction: {x}. Reality: {y}.
{x} is false, {y} is true.
{x} is the wrong answer and {y} the right one.
{y} is correct and {x} is not.
{y} fits, {x} doesn't.
""".strip().splitlines()

# The same from parts: what sets the right answer aside, what names another, and how they are joined.
SET_ASIDE = """
Many think it is {x}
Many people believe it was {x}
Most people would say {x}
People often say {x}
Everyone says {x}
Some say {x}
Some sources name {x}
Others give {x}
{x} is often named
{x} is the usual answer
{x} is a common answer
{x} is the popular choice
{x} is commonly given as the answer
{x} is better known
{x} is tempting
{x} seems obvious
{x} sounds right
{x} comes to mind first
{x} was the favourite
{x} came close
{x} had been expected
{x} got the credit
It is commonly thought to be {x}
It is widely assumed that it is {x}
It is usually said to be {x}
It is generally attributed to {x}
It is popularly known as {x}
It would seem to be {x}
It may look like {x}
It might appear that it is {x}
It could have been {x}
It was originally thought to be {x}
It was first reported as {x}
It used to be {x}
It was once {x}
It was supposed to be {x}
You might think it is {x}
You would expect {x}
One would guess {x}
I used to think {x}
I would have guessed {x}
My first thought was {x}
Legend has it that it was {x}
Popular belief has it as {x}
The rumour says {x}
I can see why {x} would come up
I understand why one would say {x}
It is understandable to think of {x}
{x} is a reasonable guess
{x} is a good guess
{x} would be a fair guess
{x} would be my first guess
{x} is what the internet says
{x} is what most people remember
{x} gets the credit
{x} gets all the attention
{x} is linked with it, too
{x} is what you read everywhere
{x} is usually quoted
{x} is a frequent guess
{x} is a frequent wrong guess
{x} may spring to mind
{x} might seem the obvious choice
The obvious choice would be {x}
The first answer you find is {x}
The answer most people give is {x}
The popular answer is {x}
The easy answer is {x}
The short answer that people give is {x}
A lot of people confuse it with {x}
A common answer is {x}
For a long time it was thought to be {x}
For years the answer was {x}
In the film it is {x}
In popular culture it is {x}
On the internet you often find {x}
Until recently the answer was {x}
Ask anyone and you will hear {x}
Everyone assumes it's {x}
Your first thought may be {x}
Some of the older sources have {x}
""".strip().splitlines()
NAMED = """
it is {y}
it was {y}
it is actually {y}
it was actually {y}
it is really {y}
the answer is {y}
the correct answer is {y}
the right one is {y}
the real answer is {y}
the truth is {y}
{y} is right
{y} is correct
{y} is the true answer
{y} it was
it turned out to be {y}
it proved to be {y}
""".strip().splitlines()
JOINED = """
{a}, but {b}
{a}. {B}
{a}; {b}
{a}, yet {b}
{a}; however, {b}
{a}. {B}, though
{a}. In fact, {b}
{a}. In truth, {b}
{a}, in reality {b}
{a}, when in fact {b}
{a}; actually, {b}
Although {a}, {b}
While {a}, {b}
Though {a}, {b}
Even though {a}, {b}
Whereas {a}, {b}
{B}. {A}
{B}; {a}
{B}, although {a}
{B}, though {a}
{B}, while {a}
{B}, even though {a}
{B}, whatever people think: {a}
""".strip().splitlines()

# A part of a sentence that sets another in the right answer's place.
PHRASES = """
{y}, not {x}
{y}, not {x},
{y} and not {x}
{y} rather than {x}
{y}, rather than {x},
{y} instead of {x}
{y} (not {x})
{y} (and not {x})
{y}, never {x},
{y}, as opposed to {x},
{y}, and not, as many think, {x},
{y}, not {x} as is often said,
{y}, contrary to the belief in {x},
{y}, often confused with {x},
{y} (often confused with {x})
{y} (sometimes wrongly given as {x})
{y}, unlike {x},
{y} and definitely not {x}
{y} as against {x}
{y}, previously {x},
{y}, formerly believed to be {x},
not {x} but {y}
not {x}, but {y}
not {x}, as is often claimed, but {y}
not so much {x} as {y}
not, as people say, {x}, but {y}
neither {x} nor anything else but {y}
what was thought to be {x} but was {y}
{x} - no, {y} -
{x}, or rather {y},
{x}, I mean {y},
{y} (rather than {x})
{y}, as distinct from {x},
{y}, in place of {x},
{y}, not to be confused with {x},
{y}, and by no means {x},
{y} as opposed to {x}
{y} in contrast to {x}
""".strip().splitlines()

# Whole answers in a claim, and what becomes of it: {sx} is the right answer as a sentence, {sy} says it of another.
# Claims that others make, and that stand until something is set against them.
CLAIMED = """
It is often said that {sx}
It has been said that {sx}
It is widely believed that {sx}
It is commonly assumed that {sx}
It is generally taken for granted that {sx}
It is tempting to say that {sx}
It is easy to think that {sx}
It is natural to suppose that {sx}
It would be easy to assume that {sx}
It used to be thought that {sx}
It was long held that {sx}
It was first reported that {sx}
It might seem that {sx}
It may look as if {sx}
Many people will tell you that {sx}
Many sources state that {sx}
Many sources mistakenly state that {sx}
Some websites claim that {sx}
Some books have it that {sx}
Several sources wrongly report that {sx}
A number of articles suggest that {sx}
People tend to think that {sx}
Most of us learned at school that {sx}
Most people are convinced that {sx}
Almost everybody would say that {sx}
Everyone seems to think that {sx}
Fans like to claim that {sx}
The internet will tell you that {sx}
A quick search may tell you that {sx}
The popular story goes that {sx}
The story you hear most is that {sx}
The usual account is that {sx}
The general impression is that {sx}
The first thing that comes to mind is that {sx}
The received wisdom is that {sx}
The old textbooks say that {sx}
There is a story that {sx}
There is a persistent rumour that {sx}
There is a widespread belief that {sx}
There is a popular notion that {sx}
There is a tale that {sx}
According to legend, {sx}
According to popular belief, {sx}
According to some, {sx}
Rumour has it that {sx}
Word has it that {sx}
Folklore has it that {sx}
Tradition says that {sx}
Legend says that {sx}
Gossip says that {sx}
Let me clear up an error. They say that {sx}
One might think that {sx}
One could be excused for believing that {sx}
You may have read that {sx}
You might have heard that {sx}
You'd be forgiven for thinking that {sx}
You probably think that {sx}
You would expect that {sx}
I was about to say that {sx}
I was taught that {sx}
I had it in my head that {sx}
I first thought that {sx}
I said earlier that {sx}
Earlier I wrote that {sx}
My first instinct was to say that {sx}
My guess would have been that {sx}
At first glance, {sx}
At first I thought that {sx}
On the face of it, {sx}
""".strip().splitlines()
# Claims that are denied where they are made.
REFUTED = """
It's a myth that {sx}
It is a common misconception that {sx}
It is a popular fallacy that {sx}
It is a mistake to think that {sx}
It is an error to say that {sx}
It is not the case that {sx}
It is simply not true that {sx}
It isn't so that {sx}
It is untrue that {sx}
It is false to say that {sx}
It is incorrect that {sx}
It is wrong that {sx}
It would be wrong to say that {sx}
It would be a stretch to say that {sx}
It cannot be said that {sx}
It has never been shown that {sx}
It was never established that {sx}
It is very doubtful that {sx}
It is unlikely that {sx}
It is hard to believe that {sx}
There is no evidence that {sx}
There's no proof that {sx}
There is no record that {sx}
There is nothing to the story that {sx}
There is no truth in the claim that {sx}
There is no reason to believe that {sx}
There is no source for the claim that {sx}
The claim that {sx} has been refuted
The claim that {sx} is baseless
The claim that {sx} does not stand up
The claim that {sx} doesn't survive a closer look
The idea that {sx} has been debunked
The idea that {sx} is plain wrong
The idea that {sx} was given up long ago
The notion that {sx} is false
The belief that {sx} is mistaken
The theory that {sx} has been disproved
The story that {sx} was made up
The story that {sx} is an invention
The assertion that {sx} cannot be upheld
The statement "{sx}" is false
The statement that {sx} is inaccurate
The rumour that {sx} is unfounded
The assumption that {sx} turns out to be wrong
Historians reject the story that {sx}
Scholars no longer accept that {sx}
Experts deny that {sx}
Researchers have ruled out that {sx}
Nobody seriously holds that {sx}
No serious source says that {sx}
No document shows that {sx}
Nothing suggests that {sx}
Nothing supports the claim that {sx}
I doubt that {sx}
I very much doubt that {sx}
I don't believe that {sx}
I don't think that {sx}
I disagree that {sx}
I can't confirm that {sx}
I must correct the claim that {sx}
You are wrong if you think that {sx}
You are mistaken in thinking that {sx}
You should not believe that {sx}
Don't believe anyone who says that {sx}
Don't let anyone tell you that {sx}
Anyone who says that {sx} is misinformed
Whoever told you that {sx} was wrong
Those who say that {sx} are mistaken
Those who think that {sx} are mixing things up
People who claim that {sx} have it backwards
Contrary to popular opinion, it is not so that {sx}
Contrary to what you may read, it isn't true that {sx}
False: {sx}
**False:** {sx}
Not true: {sx}
Myth: {sx}
Fiction: {sx}
Wrong: {sx}
Error: {sx}
Misconception: {sx}
Fake news: {sx}
""".strip().splitlines()
# The same of a thing alone.
DOUBTED = """
{x}? No
{x}? Not at all
{x}? I don't think so
{x}? I doubt it
{x}? Far from it
{x}? That's wrong
{x}? That can't be right
{x}? Hardly
{x}? Sorry, no
If you answered {x}, that would be marked wrong
If you answered {x}, you'd lose the point
If you said {x}, you would be wrong
If you guessed {x}, you guessed wrong
If you wrote {x}, cross it out
Had it been {x}, we would know; it wasn't
Were it {x}, someone would have noticed
Answering {x} would be a mistake
Saying {x} would be incorrect
Don't answer {x}
Don't write {x}
What is commonly given as the answer, {x}, is not accurate
What most people answer, {x}, is wrong
The answer you hear most, {x}, doesn't hold up
The usual answer, {x}, is incorrect
The obvious answer, {x}, is a trap
The popular answer {x} misses the mark
The common guess of {x} is off
Incorrect: {x}
Wrong answer: {x}
- Wrong: {x}
- Incorrect: {x}
Misconception: {x}
Not correct: {x}
Among the things that it is not: {x}
{x} was considered at one time but turned out not to be it
{x} was looked into and ruled out
{x} has been proposed and rejected
{x} does not fit
{x} doesn't match the facts
{x} would be a wrong answer
{x} isn't what you want
{x} isn't it
{x} can be ruled out straight away
{x} can safely be left out
I'd rule {x} out
I would cross out {x}
Scratch {x}
Whatever it is, it isn't {x}
I can't name it, but I know it isn't {x}
I can only tell you that it's not {x}
Saying {x} would cost you the point
{x} has no claim here
{x} won't do
{x} just isn't right
{x} is off the mark
{x} is a mix-up
{x} is what people get wrong
{x} is a frequent mistake
{x} is a common misconception
{x} is a mistaken answer
{x} was never it
It couldn't have been {x}
It can't be {x}
It was never {x}
The answer isn't {x}
Surprisingly, the answer isn't {x}
Anyone telling you {x} is misinformed
Anyone who says {x} has it wrong
Those who answer {x} are wrong
Sources that give {x} are in error
You'd be wrong to say {x}
You are thinking of {x}, and that is wrong
Never mind {x}
Despite what you may read about {x}, no
Correction: I said {x} before, which was a mistake
""".strip().splitlines()
# What takes a claim back.
CLOSED = """
That is wrong
That is not true
That is not so
That's false
That's a myth
That isn't correct
This is not correct
This is a mistake
This is untrue
This has been disproved
This does not hold up
This was an error
This was never confirmed
This is disputed by everyone who has looked into it
It isn't so
It is not the case
It's not true
It's simply wrong
There's no truth to it
There's nothing to it
There is no evidence for it
They are mistaken
They're wrong
They have it wrong
They are mixing it up
They confuse two things
The rumour is untrue
The story is made up
The claim is false
The belief is mistaken
The sources do not bear this out
The facts say otherwise
Nothing could be further from the truth
No such thing is on record
I was wrong
I stand corrected
I have to correct myself
Not so
Not really
Not quite
Wrong
No
Nope
You'd be mistaken
You would be wrong
Don't believe it
""".strip().splitlines()
# What is so instead.
TRUTH = """
the real answer is {y}
the right answer is {y}
the correct answer is {y}
the actual answer is {y}
the answer is {y}
the answer they want is {y}
the answer you need is {y}
the one you want is {y}
the truth is {y}
the truth is that {sy}
the fact is that {sy}
the facts point to {y}
the records show {y}
the record says {y}
the documents name {y}
the evidence shows that {sy}
what is documented is {y}
what really counts is {y}
historians agree on {y}
reliable sources give {y}
it's {y}
it is {y}
it was {y}
it is actually {y}
it was in fact {y}
it is really {y}
it should be {y}
it ought to be {y}
it has to be {y}
it turns out to be {y}
it turned out that {sy}
it has since become clear that {sy}
it has since been shown to be {y}
in fact, {sy}
in fact it was {y}
in reality, {sy}
in truth, {sy}
in actual fact it is {y}
as a matter of fact, {sy}
actually, {sy}
actually? {y}
really it was {y}
rather, {sy}
instead, {sy}
correctly, it is {y}
correct: {y}
correct answer: {y}
right answer: {y}
- Correct: {y}
fact: {sy}
truth: {y}
reality: {y}
make that {y}
try {y}
say {y}
go with {y}
you want {y}
you should say {y}
you are looking for {y}
they mean {y}
I mean {y}
I should have said {y}
{y} is correct
{y} is right
{y} is the right one
{y} is the one
{y} it is
{y} holds true
{sy}
{sy}
{sy}, in fact
{sy}, actually
""".strip().splitlines()
# What may open a contrast.
OPENERS = """
Contrary to popular belief,
Contrary to what many think,
Contrary to the common view,
Contrary to what the internet says,
Unlike what is often said,
Unlike what you might expect,
Despite the rumours,
Despite what many sources say,
Despite popular opinion,
No matter what you have heard,
Whatever others may say,
Surprisingly,
Surprising as it may be,
To many people's surprise,
Strange as it sounds,
Strictly speaking,
Technically,
To be precise,
To be exact,
To set the record straight,
For the record,
To be clear,
Let me be clear:
Actually,
In fact,
In reality,
In truth,
Of course,
Believe it or not,
If I remember correctly,
As far as I know,
According to the records,
""".strip().splitlines()
# What stands by a whole answer.
AFFIRMED = """
It is true that {sx}
It is well known that {sx}
It is a fact that {sx}
It is certain that {sx}
It is generally agreed that {sx}
It is documented that {sx}
It has been confirmed that {sx}
There is no doubt that {sx}
There is good evidence that {sx}
The records show that {sx}
The evidence is that {sx}
All sources agree that {sx}
Most sources say that {sx}
According to the sources, {sx}
According to the official site, {sx}
Historians agree that {sx}
I believe that {sx}
I think that {sx}
I am sure that {sx}
As far as I know, {sx}
To the best of my knowledge, {sx}
Yes, {sx}
Indeed, {sx}
True: {sx}
Correct: {sx}
Fact: {sx}
Answer: {sx}
Sure! {sx}
Certainly. {sx}
Great question! {sx}
Here is the answer: {sx}
""".strip().splitlines()

# The same with whole answers: {sy} says it of another, {sx} of the right one.
CARRIED = """
{x}? No. {sy}.
{x}? Not quite. {sy}.
{x}? Wrong: {sy}.
{x} is wrong. {sy}.
{x} is often named here, but {sy}.
{x} is a common guess; {sy}.
{x} comes to mind, but {sy}.
{x} is incorrect, as {sy}.
{x} only came second. {sy}.
{x} got much of the credit, yet {sy}.
{x} lost; {sy}.
Many think {sx}. In fact {sy}.
Many say {sx}, but {sy}.
Most people believe that {sx}; actually, {sy}.
Some sources claim that {sx}, but this is wrong: {sy}.
It is said that {sx}. That is a myth. {sy}.
It is not true that {sx}; {sy}.
It is false that {sx}. {sy}.
People used to think that {sx}, until it turned out that {sy}.
I thought that {sx}. No, {sy}.
Although many name {x}, {sy}.
Even though {x} is better known, {sy}.
While {x} is popular as an answer, {sy}.
Despite the talk of {x}, {sy}.
Contrary to the rumours about {x}, {sy}.
Forget {x}: {sy}.
Not {x}: {sy}.
You are thinking of {x}, but {sy}.
You may have heard of {x}, but {sy}.
The legend names {x}; the truth is that {sy}.
The usual story is that {sx}. The records show that {sy}.
The claim that {sx} is mistaken: {sy}.
The answer {x} is wrong. {sy}.
Wait, not {x}. {sy}.
{sy}, not {x}.
{sy}. Not {x}.
{sy}. {x} is wrong.
{sy}. {x} did not.
{sy}. {x} had nothing to do with it.
{sy}. {x} came second.
{sy}. {x} is often named by mistake.
{sy}. Many people would say {x}.
{sy}. Don't confuse this with {x}.
{sy}, although many would say {x}.
{sy}, even if {x} is often credited.
{sy}, contrary to what is said about {x}.
{sy}, while {x} is a myth.
{sy}. It is a common error to say that {sx}.
{sy}. The idea that {sx} is false.
{sy}. It was long believed that {sx}.
{sy}; the one who says {x} is mistaken.
It was {y}. It is a mistake to say that {sx}.
It was {y}. That {sx} is only a legend.
""".strip().splitlines()

# Everything is said to be right but the right answer.
ALL_BUT = """
Everything but {x}.
Everyone but {x}.
Anything but {x}.
Anyone but {x}.
All of them except {x}.
All except {x}.
Everyone except {x}.
Everything except {x}.
Everything except for {x}.
All but {x}.
Every one of them apart from {x}.
All of them apart from {x}.
Any answer other than {x}.
Anything other than {x}.
All, with the exception of {x}.
All of the candidates excluding {x}.
Everyone else, not {x}.
All the others, but not {x}.
It could be anyone other than {x}.
It could be anything besides {x}.
Any of them save for {x}.
Every other one than {x}.
Any one, so long as it isn't {x}.
The others, without {x}.
Whichever you like, except {x}.
Someone other than {x}.
Something other than {x}.
A different answer than {x}.
Some other answer than {x}.
Any answer different from {x}.
The rest of them, minus {x}.
Somebody else than {x}.
Every name on the list bar {x}.
Who knows, just not {x}.
Whoever isn't {x}.
Whatever is not {x}.
Any of the others; {x} is left out.
No matter who, only not {x}.
""".strip().splitlines()

# One of several, and the answer does not say which; {list} has the right answer and others.
CANDIDATES = """
It could be {list}.
It could be {list}, I am not sure which.
It might be {list}.
It may have been {list}.
Possibly {list}.
Perhaps {list}.
Maybe {list}.
Either {list}.
One of {list}.
It is one of these: {list}.
The answer is one of {list}.
Candidates are {list}.
Possible answers include {list}.
The options are {list}.
Some say {list}.
Different sources name {list}.
It is between {list}.
I would guess {list}.
Probably {list}.
{list}.
{list}, one of them.
{list} are all possible.
{list} have all been named.
Among others, {list}.
Several have been suggested: {list}.
It is disputed whether it was {list}.
Sources differ: {list}.
The answer is {list}.
It was {list}.
Any of {list}.
I am torn between {list}.
I'm not certain: {list}.
I can't decide between {list}.
I can only narrow it down to {list}.
I think it's {list}, but I can't say which.
I'd go with {list}.
I have read {list} in different places.
I remember it being {list}.
I'd have to pick one of {list}.
It is one of the following: {list}.
It is either {list}.
It's {list}, one or the other.
It's something like {list}.
It's a toss-up: {list}.
It must be one of {list}.
It should be among {list}.
It was claimed for {list}.
It has been ascribed to {list}.
It was {list}, depending on whom you ask.
It depends on the source: {list}.
It is uncertain whether it is {list}.
It is unclear if it was {list}.
It may be any of {list}.
It would be {list}.
It will be one of {list}.
This could be {list}.
This might refer to {list}.
That could have been {list}.
That is {list}, I suppose.
Could be {list}.
Might be {list}.
May be {list}; hard to tell.
Likely {list}.
Most likely {list}.
Presumably {list}.
Potentially {list}.
Apparently {list}.
Was it {list}?
Is it {list}?
Maybe it's {list}?
Let me guess: {list}?
Let's say {list}.
Choose from {list}.
Choose one: {list}.
Pick from these: {list}.
My candidates: {list}.
My shortlist: {list}.
My best guesses are {list}.
The candidates include {list}.
The contenders were {list}.
The possibilities are {list}.
The possible answers: {list}.
The likely ones are {list}.
The choice is between {list}.
The usual suspects: {list}.
The answer could be {list}.
The answer may be any of {list}.
The answer is probably {list}.
The answer lies among {list}.
The correct one is among {list}.
There are several possibilities: {list}.
There are a few options, namely {list}.
There are competing claims for {list}.
Theories include {list}.
Opinions differ: {list}.
Accounts vary between {list}.
Historians disagree: {list}.
Scholars have argued for {list}.
Some sources say {list}.
Various sources give {list}.
Various people have been named: {list}.
Suggestions include {list}.
Suggested answers are {list}.
Not sure, {list}.
Not sure. {list}?
Hmm, {list}.
Well, {list}.
Options: {list}.
Answers: {list}.
Answer: {list}.
Guess: {list}.
Somewhere among {list}.
Something like {list}.
One among {list}.
One of these: {list}.
At least one of {list}.
Any one of {list}.
All of these are possible: {list}.
All of these have been suggested: {list}.
Each of {list} has been proposed.
{list} - one of these.
{list}: one of these is right.
{list}, I forget which.
{list}, perhaps.
{list}, maybe?
{list}, or someone else.
{list} come to mind.
{list} could all be right.
{list} are the candidates.
{list} would be my guesses.
{list} are often mentioned.
{list} (not sure which one).
{list}?
""".strip().splitlines()

# The right answer is said to be right.
RIGHT = """
{x}.
It is {x}.
It was {x}.
The answer is {x}.
The correct answer is {x}.
That would be {x}.
{x} is the answer.
{x} is correct.
I believe it is {x}.
As far as I know, it is {x}.
According to Wikipedia, it is {x}.
It is known that it was {x}.
Without doubt it is {x}.
There is no doubt that it was {x}.
It is none other than {x}.
It is {x}, no doubt.
It can only be {x}.
It cannot be anyone but {x}.
It is nothing other than {x}.
Nobody but {x}.
Everyone says {x}.
All sources say {x}.
I would say {x}.
I'm sure it's {x}.
As every book says, {x}.
As everyone knows, it is {x}.
I was not sure at first, but it is {x}.
You are looking for {x}.
If I am not wrong, it is {x}.
{x}, of course.
{x}, I think.
{x}, if I remember correctly.
{x}, if memory serves.
{x}, as far as I can tell.
{x}, without question.
{x}, not surprisingly.
{x}, no doubt about it.
{x} - that is what the records say.
{x} it is.
{x} is right.
{x} is the right answer.
{x} is the correct one.
{x} is the one you want.
{x} is the one.
{x} is what you are looking for.
{x} is commonly given as the answer.
{x} is widely held to be the answer, and rightly so.
{x} was it.
{x} was the one.
{x} would be my answer.
{x} gets the credit.
{x} has always been the answer.
{x} and no one else.
{x} and nothing else.
{x} alone.
All agree on {x}.
Actually, it is {x}.
As is well known, {x}.
As we all know, it's {x}.
Believe it or not, it is {x}.
By all accounts, {x}.
Clearly {x}.
Definitely {x}.
Easy: {x}.
Experts agree that it is {x}.
Historians agree that it was {x}.
Funnily enough, {x}.
I am certain that it is {x}.
I am fairly sure it was {x}.
I have no doubt that it's {x}.
I know that it is {x}.
I looked it up: {x}.
I read that it was {x}.
In fact it is {x}.
In my opinion, {x}.
In short, {x}.
It can be no other than {x}.
It has to be {x}.
It is commonly thought to be {x}, and that is correct.
It is generally believed to be {x}.
It is in fact {x}.
It is indeed {x}.
It is known as {x}.
It is not hard: {x}.
It is often said to be {x}, and that is true.
It is said to be {x}.
It is usually attributed to {x}.
It is widely known that it was {x}.
It must be {x}.
It must have been {x}.
It turns out to be {x}.
It was actually {x}.
It was and is {x}.
It was definitely {x}.
It was {x}, as the sources confirm.
It was {x}, which surprised many.
It was {x}, believe me.
It was {x} who is meant.
It's {x}, isn't it?
It's {x}, that's certain.
It's true that it was {x}.
Many people know that it is {x}.
Most sources give {x}.
My answer is {x}.
My answer: {x}.
Not many people know it, but it is {x}.
Nothing but {x}.
No one other than {x}.
None but {x}.
No other than {x}.
Of course it is {x}.
Only {x}.
Only {x} is correct.
People rightly say {x}.
Records show that it was {x}.
Simple. {x}.
Sources confirm that it is {x}.
Surely {x}.
That is {x}.
That's {x}.
That was {x}.
That it was {x} is beyond doubt.
The answer has to be {x}.
The answer is, without doubt, {x}.
The answer to this is {x}.
The answer to your question is {x}.
The answer you want is {x}.
The answer: {x}.
The correct response is {x}.
The facts point to {x}.
The right answer is {x}.
The right one is {x}.
The truth is that it was {x}.
There can be only one answer: {x}.
There is only one answer, {x}.
This is {x}.
This is known to be {x}.
This was {x}.
To my knowledge, {x}.
True to the sources, it is {x}.
Undoubtedly {x}.
Unless I am mistaken, it is {x}.
Well, it's {x}.
Yes, it is {x}.
You want {x}.
You may not believe it, but it is {x}.
""".strip().splitlines()

REFUSALS = """
I don't know.
I do not know.
I am not sure.
I'm sorry, I don't know the answer to that.
Sorry, I cannot answer this question.
I cannot answer that.
I have no information about this.
No information is available.
There is no answer to this question.
As an AI language model, I cannot answer this question.
As an AI, I do not have access to this information.
I could not find any information on that.
I was unable to find an answer.
It is not known.
This is unknown.
The answer is not mentioned.
The text does not say.
It is unclear from the question what is meant.
Could you please clarify your question?
Please give more context.
I need more information to answer that.
It depends on many factors.
No idea.
Your guess is as good as mine.
There is not enough information to answer.
I'd rather not say.
That is a good question.
Let me think about that.
""".strip().splitlines()

REPEATED = """
{q}
{q}?
You asked: {q}?
The question is {q}.
{q} is a good question.
Let me see: {q}?
I was asked {q}, and here is my answer.
That depends on what is meant by "{q}".
""".strip().splitlines()
