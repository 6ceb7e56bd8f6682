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
