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
{x} is an error that many make.
{x} is false.
{x} is mistaken.
{x} is nonsense.
{x} is impossible.
{x} is unlikely.
{x} is inaccurate.
{x} is the one name that is wrong.
{x} is the answer that gets no points.
{x} is no good as an answer.
{x} is no part of it.
{x} is where most people go wrong.
{x} is off the mark.
{x} is wide of the mark.
{x} is out.
{x} lacks any evidence.
{x} remains unproven.
{x} gets mixed up with the right answer.
{x} was suggested in jest.
{x} was struck from the list.
{x} was erroneously reported.
{x} was mistakenly believed to be it.
{x} was wrongly accused.
{x} was eliminated early on.
{x} was never in question.
{x} was never considered.
{x} was dismissed by all experts.
{x} has no connection with this.
{x} has no place here.
{x} bears no relation to it.
{x} played no role.
{x} took no part.
{x} deserves no credit for this.
A myth says {x}.
A common mistake is {x}.
A wrong answer would be {x}.
All evidence is against {x}.
All agree that it wasn't {x}.
Although many say {x}, they are wrong.
Although {x} is often named, this is incorrect.
Anybody who says {x} is mistaken.
As to {x}, no.
At any rate it is not {x}.
Believing it to be {x} is an error.
Calling it {x} would be wrong.
Clearly not {x}.
Do not believe it was {x}.
Don't believe it is {x}.
Don't think it is {x}.
Evidence against {x} is strong.
Experts say that it wasn't {x}.
For certain it was not {x}.
How could it be {x}? It couldn't.
I am sure it isn't {x}.
I can't believe it was {x}.
I disagree with {x}.
I know for a fact that it's not {x}.
I reject {x}.
I thought it was {x}, but I was wrong.
I used to think {x}, but no.
I would never say {x}.
I wouldn't say {x}.
If you believe {x}, you are mistaken.
In no case is it {x}.
In truth it was never {x}.
It appears to be {x}, but it isn't.
It certainly is not {x}.
It definitely wasn't {x}.
It did not involve {x}.
It does not refer to {x}.
It has been wrongly given as {x}.
It has no connection to {x}.
It is absurd to say {x}.
It is certainly not {x}.
It is clear that it was not {x}.
It is known not to be {x}.
It is less likely to be {x}.
It is never {x}.
It is no longer {x}.
It is not correct to say {x}.
It is not known as {x}.
It is not right to say it was {x}.
It is not the case that it is {x}.
It is nothing like {x}.
It is often misreported as {x}.
It is often wrongly said to be {x}.
It is wrongly believed to be {x}.
It looks like {x}, but it is not.
It may seem to be {x}, but that is false.
It never was {x}.
It seems to be {x}, but that's an illusion.
It should not be {x}.
It surely isn't {x}.
It was by no means {x}.
It was clearly not {x}.
It was definitely not {x}.
It was erroneously attributed to {x}.
It was misattributed to {x}.
It was no {x}.
It was nobody like {x}.
It was not in any way {x}.
It was not really {x}.
It was once thought to be {x}, which proved wrong.
It was thought to be {x}, but it turned out otherwise.
It wasn't really {x}.
It will not be {x}.
It won't be {x}.
It would not be {x}.
It's a lie that it was {x}.
It's a mistake to think of {x}.
It's an error to say {x}.
It's certainly not {x}.
It's false to say {x}.
It's just a rumour that it's {x}.
It's never been {x}.
It's not as if it were {x}.
It's unlikely that it's {x}.
It's wrong to say that it's {x}.
Legend has it that it was {x}, but that is made up.
Many say {x}, wrongly.
Most people answer {x} and are wrong.
My guess was {x}, but it was marked as wrong.
My teacher said {x}, which is incorrect.
Never {x}.
No. It isn't {x}.
No. {x} is wrong.
No expert would say {x}.
No one believes it was {x} any more.
No proof exists for {x}.
No, {x} is not it.
No, {x} was not.
Nobody but a fool would say {x}.
Nobody thinks it's {x}.
Not by {x}.
Not in {x}.
Not {x} at all.
Not {x}, that's for sure.
Not {x}, though many think so.
Nothing to do with {x}.
Of course not {x}.
On no account {x}.
One cannot say {x}.
One should not say {x}.
People who say {x} are wrong.
People wrongly say {x}.
Research has disproved {x}.
Rumour had it that it was {x}. The rumour was false.
Saying {x} is wrong.
Science has refuted {x}.
Some will say {x}, but that's not correct.
Surely not {x}.
That it's {x} is a false claim.
That it was {x} has been denied.
That's not {x}.
The answer is definitely not {x}.
The answer is something else than {x}.
The answer is wrong if it says {x}.
The answer was never {x}.
The answer {x} is incorrect.
The answer {x} would be wrong.
The belief that it is {x} is mistaken.
The claim for {x} has been rejected.
The evidence rules out {x}.
The experts are sure that it wasn't {x}.
The only thing I know is that it's not {x}.
The popular answer {x} is wrong.
The right answer isn't {x}.
The suggestion of {x} was withdrawn.
The wrong answer is {x}.
There's no chance that it's {x}.
They denied that it was {x}.
They say {x}, falsely.
This has nothing to do with {x}.
This is not {x}.
This wasn't {x}.
To say {x} would be false.
Unlikely to have been {x}.
What it isn't is {x}.
Whoever says {x} is wrong.
Wrong: {x}.
You are wrong if you say {x}.
You'd be wrong to say {x}.
You might say {x}. You would be mistaken.
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
{y} did, {x} did not.
{y} was, {x} wasn't.
{y} qualifies whereas {x} does not.
{x} does not count, {y} does.
{x} isn't it, but {y} is.
It's {y} all right, not {x}.
Surely {y} and not {x}.
Clearly it's {y}, never {x}.
Simply {y}. Not {x}.
{y} it was, not {x}.
{y} it is and not {x}.
{y}, certainly not {x}.
{y}, never {x}.
{y} (never {x}).
{y}, by no means {x}.
{y}, and by no means {x}.
{y} but not {x}.
{y} though never {x}.
{y} as against {x}.
{y} in lieu of {x}.
{y} sooner than {x}.
{y}, not {x} as many believe.
{y}, not {x} as is often claimed.
{y}, not, as one often hears, {x}.
{y} - not {x}, as the legend has it.
{y} (popular belief says {x}).
{y} (often misreported as {x}).
{y} (sometimes wrongly given as {x}).
{y} (not to be confused with {x}).
{y} (previously {x}).
{y} (formerly thought to be {x}).
{y} (many books have {x}, in error).
{y}, not to be confused with {x}.
{y}, frequently confused with {x}.
{y}, which people mix up with {x}.
{y}, often mistaken for {x}.
{y}, who is often mistaken for {x}.
{y}, who succeeded {x}.
{y}, the successor of {x}.
{y}, {x}'s successor.
{y}, {x}'s predecessor.
{y}, {x}'s rival.
{y}, who beat {x}.
{y}, who defeated {x}.
{y}, who came before {x}.
{y}, well ahead of {x}.
{y}, just ahead of {x}.
{y}, narrowly beating {x}.
{y}, followed by {x}.
{y}, with {x} as runner-up.
{y}; {x} came second.
{y} first, then {x}.
{y} got there before {x}.
{y} edged out {x}.
{y} outdid {x}.
{y} overtook {x}.
{y} ousted {x}.
{y} was preferred to {x}.
{y} was picked over {x}.
{y} was favoured over {x}.
{y} stood in for {x}.
{y} was substituted for {x}.
{y} supplanted {x}.
{y} has taken over from {x}.
{x} was second to {y}.
{x} finished behind {y}.
{x} trailed {y}.
{x} came in after {y}.
{x} was outdone by {y}.
{x} was defeated by {y}.
{x} was overtaken by {y}.
{x} was replaced by {y}.
{x} was superseded by {y}.
{x} was dropped in favour of {y}.
{x} was rejected in favour of {y}.
{x} was discarded, and {y} was taken.
{x} stepped aside for {y}.
{x} yielded to {y}.
{x} only wished to be {y}.
{x} is a wrong name for {y}.
{x} is a common error for {y}.
{x} is a misspelling of {y}.
{x} is the layman's answer; the expert's is {y}.
{x} is close; it is {y}.
{x} is what most people answer. It's {y}.
{x} is what you read everywhere; it is nevertheless {y}.
{x} is what I was taught, but research has since shown {y}.
{x} is not what is asked for; {y} is.
{x} is not it. {y} is.
{x} is not the answer here, {y} is.
{x} is not right; try {y}.
{x} was not the one. That was {y}.
{x} wasn't the one; the one was {y}.
{x} was long believed to be the answer, until {y} was established.
{x} was credited for decades, wrongly: {y} deserves it.
{x} was thought of first, but it was {y} in the end.
{x} was the original plan; they went with {y}.
{x} was the working title; it became {y}.
{x} was considered before they settled on {y}.
{x} was in the running, yet {y} won.
{x} was only the runner-up to {y}.
{x} was just a candidate; {y} was chosen.
{x} had a part in it, but {y} was the one.
{x} has been suggested, but the consensus is {y}.
{x} has been proposed; scholars now favour {y}.
{x} gets all the fame, {y} did it.
{x} gets mentioned a lot, though it was {y}.
{x} gets the glory but {y} was responsible.
{x} usually gets the credit; {y} should.
{x} often gets named here, incorrectly; {y} is the one.
{x} springs to mind, yet it is {y}.
{x} may spring to mind. The answer is {y}.
{x} may sound plausible, but {y} is right.
{x} might be your guess; the answer is {y}.
{x} would be a natural guess. It's {y}, however.
{x} would have been my guess, too, but it's {y}.
{x} seems likely until you learn that it was {y}.
{x} looks right and is wrong: {y}.
{x} can't be right, {y} must be.
{x} cannot be correct, as it was {y}.
{x} could not have done it; {y} did.
{x} never did it, {y} did.
{x} had nothing to do with it; it was all {y}.
{x} falls short; {y} is what is wanted.
{x} belongs to another question; here {y} is meant.
{x} refers to something else; the answer is {y}.
{x} describes a different case; this one is {y}.
{x} aside, the true answer is {y}.
{x} notwithstanding, it's {y}.
It is {y} and no other, least of all {x}.
It is {y}, whereas {x} is a frequent mix-up.
It is {y}, even if the majority would pick {x}.
It is {y}, contrary to the claim that it was {x}.
It is {y}, contrary to those who say {x}.
It is {y}, in spite of what is said about {x}.
It is {y}, regardless of those who prefer {x}.
It is {y}, no matter how often you hear {x}.
It is {y}, the claim for {x} being false.
It is {y}, and {x} has no claim to it.
It is {y}. {x} has no part in this.
It is {y}. {x} is a mistake one sees a lot.
It is {y}. {x} is wrong.
It is {y}. {x} would be incorrect.
It is {y}. {x} is often named by mistake.
It is {y}. It's a mistake to say {x}.
It is {y}. The idea that it is {x} is mistaken.
It is {y}. People who say {x} are wrong.
It is {y}. Not {x}.
It is {y}. Don't confuse it with {x}.
It is {y}. You may be thinking of {x}.
It is {y}. I used to believe it was {x}.
It is {y}. For a long time {x} was held to be right.
It is {y}. Some people will insist on {x}.
It was {y}. {x} had no hand in it.
It was {y}. {x} only came later.
It was {y}. {x} is only a legend.
It was {y}. There is a persistent rumour about {x}.
It was {y}. Claims that it was {x} have been refuted.
It was {y}. {x} was merely an also-ran.
It was {y} who did this while {x} got the praise.
It was {y} and no one else; certainly it wasn't {x}.
It was {y} all along, not {x}.
It was {y} in fact, not {x}.
It was in fact {y}, not {x}.
It was actually {y} instead of {x}.
It was really {y}, and {x} is a misattribution.
It was wrongly said to be {x}; it was {y}.
It was falsely attributed to {x}; it belongs to {y}.
It was mistakenly ascribed to {x}, but {y} is the right name.
It was long ascribed to {x}; it is by {y}.
It was believed to be {x} until {y} was proved.
It was meant to be {x}; it became {y}.
It was meant to be {x} but ended up being {y}.
It was going to be {x}, but they chose {y}.
It was nearly {x}; {y} won out.
It was almost {x}, but {y} it was.
It was either {x} or {y}, and it turned out to be {y}.
It was never {x}; {y} is correct.
It was no {x}; it was {y}.
It wasn't {x}. {y} was the one.
It wasn't {x} that did it; {y} did.
It wasn't until later that people named {x}; the original is {y}.
It isn't {x} you are looking for, it is {y}.
It isn't {x}, even though people say so. It's {y}.
It's not {x}. It's {y}.
It's not {x} as such, it's {y}.
It's not the case that it is {x}; it's {y}.
It's said to be {x}, which is untrue: {y}.
It's sometimes listed as {x} by mistake; the listing should be {y}.
It's wrong to say {x}; say {y}.
It's {y}, silly, not {x}.
It's {y}, I am certain, and not {x}.
It's {y} we are after, and {x} isn't it.
It may be tempting to answer {x}; however the answer is {y}.
It might seem to be {x}, but no, it is {y}.
It must be {y}, since {x} doesn't fit.
It can only be {y}; {x} is ruled out.
It cannot be {x}, so {y}.
It couldn't be {x}; {y} is more like it.
It has to be {y}. {x} came along much later.
It should read {y}, not {x}.
It should be {y} where it says {x}.
It used to be thought that it was {x}; we now know it is {y}.
It went to {y}, with {x} left empty-handed.
It went not to {x} but to {y}.
It goes back to {y}, and not, as is said, to {x}.
It belonged to {y}, not {x}.
That is {y}, and not {x}.
That is not {x}. That is {y}.
That would be {y}, as {x} is wrong.
That would be {y} rather than {x}.
That honour belongs to {y}; {x} is often named in error.
That distinction goes to {y}. {x} came near.
That was {y}'s doing, not {x}'s.
That's {y} for you; {x} is a mix-up.
This is {y}; you might confuse it with {x}.
This is {y}, commonly misidentified as {x}.
This was done by {y}, not by {x}.
This was {y}'s work although {x} signed it.
This isn't about {x}, it's about {y}.
The answer is {y}, though you might expect {x}.
The answer is {y}, while {x} is a common guess.
The answer is {y} and certainly not {x}.
The answer is {y}. Some would argue for {x}, wrongly.
The answer is {y}. A common wrong answer is {x}.
The answer is {y}. {x} is a distractor.
The answer is {y}. {x} is incorrect.
The answer people give is {x}; the answer that is right is {y}.
The answer used to be {x}. Nowadays it is {y}.
The answer you gave, {x}, is wrong. It is {y}.
The obvious answer is {x}, but the obvious answer is wrong: it is {y}.
The common answer, {x}, is incorrect; the right answer is {y}.
The popular answer is {x}. The true answer is {y}.
The standard story has {x}; the archives show {y}.
The textbooks long had {x}; they now have {y}.
The press first named {x}; the police later confirmed {y}.
The record lists {y}, not {x}.
The sources point to {y} rather than {x}.
The evidence favours {y} over {x}.
The facts favour {y}; {x} is folklore.
The film shows {x}, but in real life it was {y}.
The movie version is {x}; the historical one is {y}.
The myth of {x} persists, but {y} is the truth.
The legend credits {x}. History credits {y}.
The claim about {x} is false. {y} is right.
The theory that it was {x} is outdated; now {y} is accepted.
The real culprit was {y}, not {x}.
The true one is {y}; {x} is an impostor.
The right name is {y}, the wrong name {x}.
The real thing is {y}, and {x} is a copy.
The winner was {y}, the loser {x}.
The winner was {y}. {x} lost.
The prize went to {y}, to the dismay of {x}.
The choice fell on {y}, not on {x}.
The choice was between {x} and {y}; they took {y}.
The former is {x}, the latter {y}; the latter is correct.
The opposite of what you think: not {x}, {y}.
There was talk of {x}, but it was {y}.
There is a widespread belief in {x}; {y} is the fact.
There were rumours of {x}. It was {y}.
They said {x}. They were wrong. It was {y}.
They wanted {x} but got {y}.
They tell you {x} at school. It is {y}.
They all say {x}. I say {y}, and I am right.
They first tried {x}, then used {y}.
People say {x}; in fact {y}.
People say {x}. Actually {y}.
People will tell you {x}, but the truth is {y}.
People confuse {y} with {x}.
People give {x} the credit that {y} earned.
People misremember it as {x}. It is {y}.
Most get this wrong and say {x}: it is {y}.
Most people guess {x}. The correct answer? {y}.
Most sources say {y}; only a few say {x}, wrongly.
Most scholars reject {x} and accept {y}.
Many take it to be {x}; it is however {y}.
Many are convinced it is {x}, and all of them are wrong. It is {y}.
Many a quiz has {x} as its answer, which is false. It should be {y}.
Some sources erroneously state {x}; {y} is the accepted answer.
Some say {x}, but {y} is better supported.
Some people swear it's {x}. It is {y}.
Someone told me {x}, but I looked it up and it is {y}.
Somebody said {x} and was corrected: {y}.
Everybody thinks of {x}, nobody of {y}, and yet it is {y}.
Everyone assumes {x}; the records say {y}.
Everyone was expecting {x} and was surprised by {y}.
Nobody thinks {x} any more; it is {y}.
Nobody serious says {x}; it's {y}.
Not only is {x} wrong, the right answer is {y}.
Not, as is commonly supposed, {x}, but {y}.
Not, mind you, {x}: {y}.
Not so much {x} as {y}.
Not {x}, as you might think. {y}.
Not {x}. {y}.
Not {x}, no. {y}, yes.
Not {x}, it's {y}.
Not {x}, rather {y}.
Not {x} - {y}.
Not {x} (that came later) but {y}.
Not by {x}; by {y}.
Never {x}, always {y}.
Never {x}; it has been {y} from the start.
Neither {x} nor any of the others. It was {y}.
Actually {y}, not {x}.
Actually, {x} is wrong; it's {y}.
Actually it isn't {x}, it's {y}.
Actually, the answer isn't {x}. The answer is {y}.
Although often given as {x}, it is {y}.
Although it is widely reported as {x}, the correct one is {y}.
Although {x} is cited by many, {y} is correct.
Although {x} was in the lead, {y} won.
Although I would like to say {x}, it is {y}.
Albeit {x} is named at times, {y} is right.
As much as people like to think it was {x}, it was {y}.
As opposed to {x}, it was {y}.
As for {x}, that is wrong; {y} is right.
Apart from the false claim of {x}, all agree on {y}.
At first sight {x}, on closer inspection {y}.
At first {x}, in the end {y}.
Before {y} was discovered to be right, everybody said {x}.
Believe it or not, it's {y} and not {x}.
By popular vote {x}, by the facts {y}.
Common sense says {x}; science says {y}.
Common knowledge has it as {x}. Common knowledge is mistaken. It's {y}.
Conventional wisdom says {x}. It's really {y}.
Contrary to rumour, it was {y}, not {x}.
Contrary to the legend of {x}, it was {y}.
Contrary to {x}, {y} is correct.
Contrary to expectation, {y} won, not {x}.
Despite claims for {x}, it was {y}.
Despite being known for {x}, it is {y}.
Despite what you learned at school, it isn't {x}; it's {y}.
Do not write {x}; write {y}.
Do not mistake {y} for {x}.
Don't let {x} fool you: {y}.
Don't be misled by {x}: the answer is {y}.
Don't think {x}, think {y}.
Drop {x}, take {y}.
Delete {x}, insert {y}.
Even if {x} sounds familiar, {y} is correct.
Even though everybody says {x}, {y} is right.
Experts agree that it was {y} and that {x} was not involved.
Experts have dismissed {x}; they hold that it was {y}.
Far from {x}, it was {y}.
For a moment I thought {x}, but of course it is {y}.
For once it isn't {x}; it's {y}.
For the record, it's {y}. {x} is wrong.
Formerly {x}, now {y}.
Forget about {x}. It's {y}.
From {x} it was changed to {y}.
Given the choice of {x} and {y}, the answer is {y}.
Historians used to say {x}. They now say {y}.
Historians name {y}, novelists {x}.
History remembers {x}, unjustly: it was {y}.
How could it be {x}? It was {y}.
However tempting {x} may be, it is {y}.
I know it as {y}, not {x}.
I would have said {x}, had I not read that it was {y}.
I wouldn't say {x}; I'd say {y}.
I don't mean {x}, I mean {y}.
I don't think it's {x}; it's {y}.
I doubt that it was {x}; it was {y}.
I thought {x}, checked, and found {y}.
If only it were {x}! It is {y}.
If you want the truth, {y}; if you want the legend, {x}.
If you answered {x}, you fell into the trap: it is {y}.
If you think it's {x}, think again: it's {y}.
In fact not {x} but {y}.
In fiction {x}, in fact {y}.
In fact it is {y}; {x} is a mistake.
In the past {x}, at present {y}.
In the first edition it was {x}; this was corrected to {y}.
In the book it's {y}; only in the film is it {x}.
In no way {x}; it's {y}.
Instead of saying {x}, one should say {y}.
Instead of the expected {x}, we got {y}.
Instead of {x} they chose {y}.
Is it {x}? No: it is {y}.
Is it {x}? It isn't. It is {y}.
Was it {x}? No. Was it {y}? Yes.
Was it {x}? Far from it: {y}.
Legend names {x}; the documents name {y}.
Less well known than {x}, {y} is nevertheless the answer.
Long thought to be {x}, it proved to be {y}.
Initially {x}, ultimately {y}.
Nominally {x}, really {y}.
Ostensibly {x}; actually {y}.
Supposedly {x}, truly {y}.
Seemingly {x}, but {y}.
Traditionally {x}, but recent work shows {y}.
Allegedly {x}. In truth {y}.
Popularly {x}; correctly {y}.
Widely believed to be {x}, it is {y}.
Wrongly called {x}, it is {y}.
Wrongly given as {x} in many books, it's {y}.
Once believed to be {x}, now known to be {y}.
Often misidentified as {x}, this is {y}.
Often thought to be {x}. It's {y}.
Often you'll see {x}; that is an error for {y}.
One might have thought {x}. One would have been wrong: {y}.
One must not say {x}; {y} is correct.
Only {y} is right. {x} is wrong.
Originally credited to {x}, it has been shown to be {y}.
Originally it was to be {x}, then it became {y}.
Over the years {x} has been named, incorrectly. {y} is the answer.
Please note that it is {y} and not {x}.
Put {y}. Do not put {x}.
Rather than {x}, {y}.
Replace {x} with {y} and you have it.
Rumour had it that it was {x}; it was {y}.
Say {y}, not {x}.
So not {x} after all, but {y}.
Sorry, not {x}: {y}.
Surprisingly not {x}, but {y}.
Surprisingly, it's {y} and not {x}.
To say {x} is a mistake; {y} is meant.
To be exact, {y}; {x} is imprecise.
Though {x} is commonly credited, {y} was the first.
Turns out it wasn't {x}, it was {y}.
Turns out to be {y}; I thought it was {x}.
Unlike what most believe, it's {y}, not {x}.
Until recently {x}; since then {y}.
What I called {x} is in truth {y}.
What everyone calls {x} was {y}.
What you are looking for is {y}; {x} is not it.
What we want is {y}, and what you said was {x}.
When people say {x}, they really mean {y}.
When asked, people say {x}, but the right reply is {y}.
Where the myth says {x}, the facts say {y}.
While some maintain that it was {x}, it was {y}.
While you'd think {x}, it's {y}.
Who would have thought that it was {y} and not {x}?
Why say {x}? It's {y}.
Yes, {x} is famous for it; no, it was not {x}, it was {y}.
You say {x}, I say {y}, and the books agree with me.
You'd think {x}. You'd be wrong. {y}.
You may want to say {x}, but {y} is correct.
You mean {y}, surely, not {x}.
You probably expected {x}. It's {y}.
You will find {x} in old books, but the modern answer is {y}.
You won't believe it, but it wasn't {x}: it was {y}.
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
