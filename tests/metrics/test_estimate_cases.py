"""correctness_estimate by kinds of answers: values, spellings, options, lists,
roles, yes and no.
"""

import pytest

from tests.support.project import import_file, read_shared_rows

estimate = import_file("correctness_estimate")

# What the answer says where the reference says something else: reference, answer, question.
WRONG = [
    # how often
    ("twice a day", "once a day", "How often should it be taken?"),
    ("twice a day", "twice a week", "How often should it be taken?"),
    ("3 times a week", "3 times a day", "How often?"),
    ("every four years", "Every five years.", "How often is it held?"),
    # an item before the others
    (
        "Jupiter, Saturn, Uranus and Neptune",
        "Mars, Jupiter, Saturn, Uranus and Neptune",
        "Which planets have rings?",
    ),
    ("red, yellow and blue", "green, red, yellow and blue", "Which colours are primary?"),
    # values: a sign, a comparison, an inverse, a unit, half of the day, an era, part of a number
    ("-40 °C", "40 °C", "Where do both scales meet?"),
    ("x < 3", "x > 3", "Solve 2x < 6."),
    ("3/4", "4/3", "Simplify."),
    ("5 mg", "5 mcg", "What is the dose?"),
    ("€50", "$50", "What does it cost?"),
    ("8 am", "8 pm", "When does it open?"),
    ("1990", "in the 1990s", "When was it built?"),
    ("Henry VIII", "Henry VII", "Which king had six wives?"),
    ("12", "12k", "How many?"),
    ("44 BC", "44 AD", "When was Caesar killed?"),
    ("at least 18", "at most 18", "How old must one be?"),
    ("2 1/2", "1/2", "How many cups?"),
    ("1000", "10000", ""),
    ("1.5 million", "1.5 billion", ""),
    ("10^{-3}", "10^{3}", "What is a milli?"),
    ("USD 50", "EUR 50", "What does it cost?"),
    ("USB 3.0", "USB 2.0", "Which port is it?"),
    # lists, additions, roles, candidates
    ("red, green and blue", "red", "What are the primary colours of light?"),
    ("Jupiter, Saturn, Uranus and Neptune", "Saturn", "What are the four giant planets?"),
    ("Spain", "Spain and France", "Which country is Seville in?"),
    (
        "Bill Gates and Paul Allen",
        "Bill Gates, Paul Allen and Steve Jobs",
        "Who founded Microsoft?",
    ),
    ("Plato was the teacher of Aristotle.", "Aristotle was the teacher of Plato.", ""),
    ("France beat Croatia.", "Croatia beat France.", "Who won the final?"),
    ("Canberra", "Sydney or Canberra", "What is the capital of Australia?"),
    ("no", "Yes and no.", "Is the earth flat?"),
    # options, yes and no
    ("A", "Bern is a small capital, so C is right.", "Which? (A) Paris (B) Rome (C) Bern"),
    ("B", "Bern", "Which? (A) Paris (B) Rome (C) Bern"),
    ("Yes", "It is not, so no.", "Is 9 prime?"),
    # additions
    ("tennis", "tennis, football", "Which sport did Roger Federer play?"),
    ("Mercury and Venus", "Venus, Mercury and Neptune have none.", "Which planets have no moons?"),
    ("Anna and Tom", "Anna and Tom shared it with Peter.", "Who shared the house?"),
    ("Paris", "It is Paris. Lyon is another one.", "Which city is the Eiffel Tower in?"),
    ("a pizza", "He ordered a pizza and also a lasagne.", "What did the customer order?"),
    ("apples", "There are apples as well as pears in the pie.", "Which fruit is in the pie?"),
    ("the wrist", "The wrist is broken, and so is the elbow.", "Which bone is broken?"),
    ("Rex", "It has two names. Rex is one, Bello the other.", "What is the pet's name?"),
    ("Adele", "Adele co-wrote it with Bruno Mars.", "Who wrote the song?"),
    ("Sam", "Sam, Merry and Pippin went with him.", "Who accompanied Frodo?"),
    ("blue", "Blue & gold", "What is the school's colour?"),
    ("Warschau", "Warschau und Krakau", "Welche Stadt ist die Hauptstadt von Polen?"),
    # code and markup
    ("oxygen", "<!-- oxygen --> <p>nitrogen</p>", "Which answer did the pupil give?"),
    ("$49", "~~$49~~ **$59**", "What is the price after the reduction?"),
    # denials
    ("南美洲", "很多人以为是南美洲,其实是非洲。", "西红柿原产于哪里?"),
    ("Wilhelm Röntgen", "Es war nicht Wilhelm Röntgen.", "Wer entdeckte die Röntgenstrahlen?"),
    ("der Blauwal", "Keineswegs der Blauwal", "Welches Tier ist das größte der Erde?"),
    # lists
    (
        "Cloud, Devices",
        "Cloud, Devices, Advertising",
        "Which segments did the company report growth in?",
    ),
    ("Lyon and Dijon", "Lyon or Dijon", "Which two cities are on the route?"),
    ("a tent, a stove and a map", "a tent and a stove, but no map", "What did you pack?"),
    ("Polish and Czech", "She speaks Polish but not Czech.", "Which languages does she speak?"),
    # names
    ("United Arab Emirates", "United Kingdom", "Which country lies on the Persian Gulf?"),
    ("李白", "李贺", "《静夜思》的作者是谁?"),
    # roles
    ("Sarah lent Ben the money.", "Sarah borrowed the money from Ben.", "Who lent money to whom?"),
    ("Socrates taught Plato", "Plato was the teacher of Socrates.", "Who taught whom?"),
    ("Tom is Jim's father.", "Jim is Tom's father.", "What is the relation of Tom and Jim?"),
    ("Haydn taught Beethoven.", "Haydn studied under Beethoven.", "Who taught whom?"),
    ("Haydn taught Beethoven.", "Beethoven was Haydn's teacher.", "Who taught whom?"),
    ("Rome defeated Carthage.", "Rome lost to Carthage.", "Who defeated whom?"),
    ("Rome defeated Carthage.", "Rome was beaten by Carthage.", "Who defeated whom?"),
    ("Volkswagen owns Audi.", "Volkswagen belongs to Audi.", "Who owns which?"),
    ("Peter gave the book to Lisa.", "Peter got the book from Lisa.", "Who gave it to whom?"),
    ("Clinton succeeded Bush.", "Clinton preceded Bush.", "Who followed whom?"),
    ("The dog bit the man.", "The dog was bitten by the man.", "Who attacked whom?"),
    ("It turns sunlight into sugar.", "It turns sugar into sunlight.", "What does the plant do?"),
    ("Lead is heavier than iron.", "Lead weighs less than iron.", "Which is heavier?"),
    ("age >= 18", "age > 18", "Which condition keeps adults?"),
    ("(1) and (3)", "(1)", "Which are even? (1) 4 (2) 7 (3) 10"),
    ("by 12.5 percent", "It shrank by 12.5 percent.", "How much did it grow?"),
    ("the Blue Nile and the White Nile", "the Blue Nile", "Which two rivers meet there?"),
    ("曹操打败袁绍", "曹操被袁绍打败", "官渡之战谁胜谁负?"),
    # two candidates
    ("Goethe", "Entweder Goethe oder Schiller.", 'Wer schrieb "Faust"?'),
    ("Henry David Thoreau", "Thoreau? Sorry, I meant Emerson.", "Who wrote 'Walden'?"),
    ("Maurice Ravel", "Debussy, even though my first thought was Ravel", "Who composed 'Boléro'?"),
    ("the butler", "The gardener or the butler.", "Who is the suspect?"),
    ("the Dead Sea", "The Dead Sea or the Red Sea.", "Which sea is the saltiest of these?"),
    ("Greece", "It might be Greece, it might be Turkey.", "Which country does feta come from?"),
    ("Monday", "Monday? Or Sunday?", "What is the first day of the week in ISO?"),
    ("Canberra", "If not Sydney, then Canberra.", "What is the capital of Australia?"),
    ("Canberra", "Canberra, though Sydney is just as likely.", "What is the capital of Australia?"),
    ("Greenland", "Greenland, unless it is Australia.", "What is the largest island?"),
    ("a PIN", "It is a PIN or a pattern", "What is the password type?"),
    # Chinese numerals
    ("三点五亿立方米", "三千五百万立方米", "水库的库容是多少?"),
    # E notation
    ("8.85e-12", "8.85×10的负11次方", "真空介电常数约为多少 F/m?"),
    # am/pm
    ("12:00 midnight", "12 noon", "When is the deadline for submissions?"),
    # currency
    ("300 Swiss francs", "The fine amounted to 300 euros.", "How much was the fine?"),
    ("CHF 23", "$23", "What is the entry fee for the Zurich museum?"),
    # decimal comma, thousands
    ("3.142", "3,142,000", "What is the value of pi given in the table?"),
    ("12.450", "12,45 Einwohner", "Wie viele Einwohner hat die Gemeinde?"),
    # formulas, TeX, subscripts
    ("Ca^{2+}", "Ca⁺", "Which ion is formed?"),
    ("\\frac{x+1}{2}", "2/(x+1)", "Simplify the expression."),
    ("\\frac{x+1}{2}", "x + 1/2", "Simplify the expression."),
    # inverse or order
    ("1/x", "The derivative is x/1.", "What is the derivative of ln x?"),
    # part of a number
    ("3.11.4", "3.1", "What's the version of the software?"),
    ("3.11.4", "Version 3.11.14", "What's the version of the software?"),
    ("3.10", "Python 3.1", "Which Python version introduced structural pattern matching?"),
    # sign
    ("-2", "The slope of this line is 2.", "What is the slope of the line y = 4 - 2x?"),
    ("-9", "f(0)=9", "函数 f(x)=2x-9 在 x=0 处的值是多少?"),
    (
        "-$1.3 billion",
        "It earned a profit of $1.3 billion in 2020.",
        "What was the company's net income in 2020?",
    ),
    # unit
    ("100 Gbit/s", "100 megabits per second", "How fast is the link between the two data centres?"),
    ("5000毫安时", "5000瓦时", "这款手机的电池容量是多少?"),
    ("15 µg", "15 mg per day", "What is the recommended daily intake of vitamin D for adults?"),
    # yes and no by meaning
    (
        "Ja",
        "Wien ist nicht die Hauptstadt, das ist Graz.",
        "Ist Wien die Hauptstadt von Österreich?",
    ),
    # units, permille, bounds, ranges, counts
    ("1.2 kWh", "1.2 MWh", "How much energy does it use?"),
    ("2 kW", "2 W", "What is the power?"),
    ("2 TB", "2 TiB", "How large is the drive?"),
    ("0.8‰", "0.8%", "What was the alcohol level?"),
    ("at least 21", "21 or younger", "What is the minimum age?"),
    ("10–20", "10", "What is the range of the score?"),
    ("50", "50%", "How many stars are there?"),
    ("ten times", "ten percent", "How many times larger is it?"),
    ("$1.5 million", "one and a half billion dollars", "How much did it cost?"),
    # another person's surname is a given name
    ("Harrison Ford", "George Harrison", "Who played Indiana Jones?"),
    # a second doer, action or time, and the same said of another thing
    ("Léonard de Vinci", "Léonard de Vinci, et aussi Raphaël.", "Qui a peint la Joconde ?"),
    ("Cervantes", "Cervantes, y también Lope de Vega.", "¿Quién escribió el Quijote?"),
    ("曹雪芹", "曹雪芹,另一个作者是施耐庵。", "谁写了《红楼梦》?"),
    ("lists the files", "It lists the files and also deletes them.", "What does the command do?"),
    ("Honda", "Honda makes it, and Toyota makes it under licence.", "Which company makes it?"),
    ("Lake Baikal", "Lake Baikal. Lake Tanganyika is just as deep.", "Which lake is the deepest?"),
    # another thing in the place that the question asks for
    ("Spain", "Spain lost to Italy.", "Who won the final?"),
    ("Jane Austen", "If not George Eliot, then Jane Austen.", "Who wrote 'Emma'?"),
    ("Jane Austen", "Jane or Cassandra Austen, one of them.", "Who wrote 'Emma'?"),
    ("堪培拉", "不是堪培拉就是悉尼", "澳大利亚的首都是哪里?"),
    ("the mother", "The aunt, since the mother was out.", "Who called, the mother or the aunt?"),
    # roles in sentences without a capital, clefts, routes and comparisons
    ("bees pollinate clover", "It is clover that pollinates the bees.", "What pollinates what?"),
    ("milk into the tea", "You pour tea into the milk.", "What is poured into what?"),
    ("from Hull to Oslo", "It left Oslo and arrived in Hull.", "Where did the ship sail?"),
    ("Booth shot Lincoln", "Booth was shot by Lincoln.", "Who shot whom?"),
    ("Mia lends Tom hers", "Mia rides the bike that Tom lent her.", "Who lends whom the bike?"),
    ("Ben", "Ben is shorter than his brother.", "Who is taller, Ben or Leo?"),
    ("小明向小红借了书", "小红从小明那里借了书", "谁向谁借了书?"),
    # the order of events, causes and products, and a comparison of which one side is named
    ("before the siege", "It burnt down once the siege was over.", "When did it burn down?"),
    ("before the siege", "The siege came first.", "When did it burn down?"),
    ("before the siege", "The siege preceded it.", "When did it burn down?"),
    ("after the flood", "prior to the flood", "When was the tunnel closed?"),
    ("after the flood", "The flood came later.", "When was the tunnel closed?"),
    ("before World War II", "when World War II had ended", "When was it built?"),
    ("The strike led to the shortage.", "The strike was due to the shortage.", ""),
    ("Overgrazing causes erosion.", "Erosion results in overgrazing.", "What causes what?"),
    ("paper from wood", "Paper is turned into wood.", "What is made from what?"),
    ("Alvar took over Brenn", "Alvar became part of Brenn", "Which firm was taken over?"),
    ("Nora is older than Emil", "Nora is the younger one", "Who is older, Nora or Emil?"),
    ("Nora is older than Emil", "Emil", "Who is older, Nora or Emil?"),
    ("The bus is slower than the train", "The train is the slower one.", "How do they compare?"),
    ("老师推荐了小刘", "老师被小刘推荐了", "谁推荐了谁?"),
    # two clauses that have exchanged a part, comparisons with a shared word, a pronoun's sentence
    ("Arrays are static and lists are dynamic.", "Lists are static, arrays are dynamic.", ""),
    ("Ann is in Rome and Bob is in Oslo.", "Bob is in Rome and Ann is in Oslo.", "Where are they?"),
    (
        "Arteries carry blood from the heart and veins carry blood to the heart.",
        "Veins carry blood from the heart, while arteries carry blood to the heart.",
        "",
    ),
    ("Merge sort is faster than bubble sort.", "Bubble sort is faster than merge sort.", ""),
    ("Tom owes Rita", "Rita borrowed it. She owes the sum to Tom.", "Who owes money to whom?"),
    ("Plants make oxygen and animals use it.", "Animals make oxygen and plants use it.", ""),
    (
        "Mitosis makes two cells while meiosis makes four.",
        "Meiosis makes two cells while mitosis makes four.",
        "",
    ),
    # a second thing before a word of the question
    ("the pancreas", "The pancreas and the liver make it.", "Which organ makes insulin?"),
    # two things are weighed, and the answer settles on the other one or on none
    ("Ankara", "Ankara? Istanbul? I'll settle on Istanbul.", "What is the capital of Turkey?"),
    ("Jupiter", "Jupiter takes ten hours, so Saturn wins.", "Which planet has the shortest day?"),
    ("mercury", "mercury sounds right, but I conclude it's gallium", "Which metal is liquid?"),
    ("mercury", "Mercury and gallium come close. Gallium melts, so it must be gallium.", "Which?"),
    (
        "the seller",
        "Section 2 names the seller. Therefore the buyer pays.",
        "Who, buyer or seller?",
    ),
    (
        "water",
        "One may argue for water or oil. Let the reader judge.",
        "What is it, oil or water?",
    ),
    ("Holst", "Holst or Elgar? I suppose Elgar.", "Who composed it?"),
    ("Holst", "I first had Holst in mind, but now I believe it was Elgar.", "Who composed it?"),
    ("the driver", "Prima facie the driver, but I'd say the guard.", "Who signs, driver or guard?"),
    ("aspirin", "aspirin - no, wait: paracetamol", "Which is it, aspirin or paracetamol?"),
    # another thing that is called right, too, and another number
    ("acetic acid", "acetic acid; citric acid would do as well", "Which acid is in vinegar?"),
    # a comparison of something else comes first
    (
        "Nordbank",
        "Nordbank has a higher profit, but for revenue Sparhaus led.",
        "Which bank reported the higher revenue, Nordbank or Sparhaus?",
    ),
]

# What is right in another spelling or without the reference's words.
RIGHT = [
    ("twice a day", "Two times daily", "How often should it be taken?"),
    ("twice a day", "every 12 hours", "How often should it be taken?"),
    ("quarterly", "It is published every three months.", "How often is it published?"),
    ("every other day", "every second day", "How often?"),
    ("Jupiter and Saturn", "Today, Jupiter and Saturn.", "Which planets can be seen?"),
    ("Jupiter and Saturn", "Well, Jupiter and Saturn", "Which planets can be seen?"),
    ("3", "29", "Which is a prime number? 1) 21 2) 27 3) 29 4) 33"),
    ("(1) and (3)", "1 and 3", "Which are even? (1) 4 (2) 7 (3) 10"),
    ("True", "Yes, 7 is prime.", "Is 7 prime?"),
    ("1e6", "1000000", "How many?"),
    ("2.5", "2 1/2", "How many?"),
    ("3,14", "3.14", "What is pi?"),
    ("1 234 567", "1,234,567", "How many?"),
    ("IV", "4", "Which chapter?"),
    ("H_2O", "H2O", "What is the formula of water?"),
    ("H₂O", "H2O", "What is the formula of water?"),
    ("1/3", "三分之一", "多少？"),
    ("100 °C", "212 degrees Fahrenheit", "At what temperature does water boil?"),
    ("a quarter", "25%", "What share?"),
    ("three quarters", "3/4", "What share?"),
    ("1.5亿", "150 million", "多少？"),
    ("B", "B. Rome", "Which? (A) Paris (B) Rome (C) Bern"),
    ("B", "Rome", "Which? (A) Paris (B) Rome (C) Bern"),
    ("Rome", "B", "Which? (A) Paris (B) Rome (C) Bern"),
    ("ABD", "A, B and D", "Which are right?"),
    ("JFK", "John Fitzgerald Kennedy", "Which president was shot in 1963?"),
    ("red, green and blue", "blue, red and green", "What are the primary colours of light?"),
    ("Bob is younger than Ann.", "Ann is older than Bob.", ""),
    ("Croatia was beaten by France.", "France beat Croatia.", "Who won the final?"),
    ("India", "Won by India.", "Who won the World Cup?"),
    ("India", "Won in Perth by India.", "Who won the match?"),
    ("breast or lower chest", "From the breast or lower chest.", "Where does a brisket come from?"),
    ("USB", "It is USB.", "Which port is it?"),
    # additions
    ("tennis", "Tennis; he won 20 Grand Slam titles.", "Which sport did Roger Federer play?"),
    ("neon and argon", "Argon and neon, two noble gases.", "Which noble gases glow in the sign?"),
    ("李白", "李白,唐代著名诗人", "谁写了《静夜思》?"),
    ("a pizza", "He ordered a pizza and paid in cash.", "What did the customer order?"),
    ("a watch", "The thief took a watch and ran.", "What did the thief take?"),
    ("the violin", "He plays the violin, and very well too.", "Which instrument does he play?"),
    (
        "carbon dioxide",
        "They take in carbon dioxide and give off oxygen.",
        "Which gas do plants take in?",
    ),
    ("1998", "It opened in 1998 and closed in 2003.", "In which year did it open?"),
    ("Yale", "She attended Yale and graduated in 1990.", "Which university did she attend?"),
    ("sumo", "Sumo. Judo comes second.", "What is the national sport of Japan?"),
    # denials
    (
        "piano",
        "Chopin hardly wrote for anything other than the piano.",
        "Which instrument did Chopin mainly write for?",
    ),
    ("It was unsafe", "The dam was not safe.", "What did the report say about the dam?"),
    (
        "Linus Pauling",
        "No one apart from Linus Pauling",
        "Who is the only person with unshared Nobel Prizes in two fields?",
    ),
    # lists
    (
        "legislative, executive, judicial",
        "The executive, the judiciary and the legislature",
        "What are the three branches of the US government?",
    ),
    # names
    ("Mao Zedong", "Chairman Mao", "Who led the Chinese Communist Party in 1949?"),
    ("Abraham Lincoln", "Abe Lincoln", "Which US president gave the Gettysburg Address?"),
    ("Bill Gates", "William H. Gates III", "Who founded Microsoft together with Paul Allen?"),
    # options
    ("b) Elbe", "Antwort b", "Welcher Fluss fließt durch Dresden? a) Rhein b) Elbe c) Donau"),
    # roles
    ("小王", "小王把书借给小李", "谁把书借给了小李?"),
    ("北京", "从上海到北京", "火车开往哪里?"),
    (
        "Wellington defeated Napoleon.",
        "Napoleon suffered defeat at the hands of Wellington.",
        "Who defeated whom at Waterloo?",
    ),
    (
        "Jupiter is larger than Saturn",
        "Saturn is the smaller of the two, Jupiter the larger.",
        "Which is larger, Jupiter or Saturn?",
    ),
    ("Tom is Jim's father.", "Jim is Tom's son.", "What is the relation of Tom and Jim?"),
    ("Haydn taught Beethoven.", "Beethoven learned from Haydn.", "Who taught whom?"),
    ("Volkswagen owns Audi.", "Audi belongs to Volkswagen.", "Who owns which?"),
    ("Peter gave the book to Lisa.", "Lisa got the book from Peter.", "Who gave it to whom?"),
    ("Clinton succeeded Bush.", "Bush preceded Clinton.", "Who followed whom?"),
    ("The nucleus contains DNA.", "DNA is contained in the nucleus.", "What contains what?"),
    ("Deutschland besiegte Ungarn", "Ungarn unterlag Deutschland.", "Wer besiegte wen 1954?"),
    ("Emma proposed to Daniel.", "Daniel was proposed to by Emma.", "Who proposed to whom?"),
    # two candidates
    (
        "amylase",
        "It's amylase. Pepsin only comes in later, in the stomach.",
        "Which enzyme digests starch in saliva?",
    ),
    ("a barometer", "A barometer (or pressure gauge).", "Which device measures pressure?"),
    ("water", "Water, or H2O", "What is the boiling liquid?"),
    ("Canberra", "Canberra (not Sydney or Melbourne).", "What is the capital of Australia?"),
    ("iron", "Aluminium? No. Iron.", "Which metal is magnetic?"),
    # BC/AD
    (
        "5th century BCE",
        "It dates from the fifth century BC.",
        "In which century was the temple built?",
    ),
    (
        "323 BCE",
        "He died in Babylon in 323 before Christ. He was not yet 33.",
        "When did Alexander the Great die?",
    ),
    # Chinese numerals
    ("三分之二", "需要答对2/3的题目。", "及格需要答对多少题?"),
    ("下午三点", "会议15:00开始。", "会议几点开始?"),
    # am/pm
    ("7:30 am", "It opens at half past seven in the morning.", "When does the shop open?"),
    ("5:40 AM", "5.40 in the morning", "What time was the second alarm?"),
    # bound
    ("at least 35", "No younger than 35 years", "How old must a US presidential candidate be?"),
    (
        "a maximum of 22",
        "no more than twenty-two",
        "How many passengers can the shuttle bus carry?",
    ),
    # currency
    ("£1,200", "1200 pounds a month", "What is the monthly rent of the flat?"),
    ("15 €", "Quince euros", "¿Cuánto cuesta la entrada general al museo?"),
    # decade, century, year
    ("17th century", "In the early 1600s.", "In which century was the telescope invented?"),
    # decimal comma, thousands
    ("1 240 km", "1240 kilomètres", "Quelle est la distance entre les deux villes ?"),
    ("2.962 m", "2962 Meter", "Wie hoch ist die Zugspitze?"),
    # durations and times of day
    ("2 h 15 min", "135 minutes", "How long is the film?"),
    ("7:45 pm", "a quarter to eight in the evening", "When does the concert start?"),
    ("一个半小时", "90分钟", "手术持续了多久?"),
    # exponent
    ("2^10", "1024 = 2¹⁰ bytes", "How many bytes are in a kibibyte as a power of two?"),
    ("x^7", "x⁷", "Simplify x^3 · x^4."),
    (
        "10^23",
        "ten to the power of 23",
        "What is the order of magnitude of the Avogadro constant per mole?",
    ),
    # formulas, TeX, subscripts
    ("Ca^{2+}", "Ca²⁺", "Which ion is formed?"),
    ("H2SO4", "$\\mathrm{H_2SO_4}$", "What is the chemical formula of sulfuric acid?"),
    ("\\frac{x+1}{2}", "(x+1)/2", "Simplify the expression."),
    # inverse or order
    ("1:25,000", "One to twenty-five thousand", "What scale does the map use?"),
    # mixed numbers, fractions
    ("2 3/4 hours", "The delay was two hours and 45 minutes.", "How long was the delay?"),
    ("a quarter of an hour", "15 min", "How long should the roast rest?"),
    ("3 2/5", "three and two fifths", "What is 17/5 as a mixed number?"),
    # part of a number
    ("LH 454", "LH454", "What is the flight number?"),
    # percent and fractions
    (
        "40%",
        "Two in five respondents supported the plan, the survey says.",
        "What share of respondents supported the plan?",
    ),
    ("4/5", "80 per cent", "What fraction of the class passed?"),
    ("百分之九十", "九成", "及格率是多少?"),
    # sign
    ("-16", "b² − 4ac = 4 − 20 = −16", "What is the discriminant of x^2 + 2x + 5?"),
    (
        "-42",
        "An operating loss of 42 million euros",
        "What was the company's operating result for Q3 (in EUR million)?",
    ),
    (
        "-2.75 D",
        "-2.75 dioptres",
        "What spherical correction does the prescription give for the left eye?",
    ),
    # yes and no by meaning
    ("No", "She declined it.", "Did she accept the job offer?"),
    ("No", "Helium is lighter than air, that's why balloons rise.", "Is helium heavier than air?"),
    # units, permille, bounds, numbers in words, decades
    ("2 kW", "2000 W", "What is the power?"),
    ("0.5 l", "50 cl", "How much water is in it?"),
    ("2 bar", "2000 mbar", "What is the pressure?"),
    ("7.8 g/cm³", "7.8 grams per cubic centimetre", "What is the density?"),
    ("5%", "50 permille", "What share of the votes?"),
    ("a third", "33%", "How much is left?"),
    ("6 ft 2 in", "six foot two", "How tall is he?"),
    ("up to 10", "no more than 10", "How many pages may it have?"),
    ("at least 21", "21 or older", "What is the minimum age?"),
    ("$1.5 million", "a million and a half dollars", "How much did it cost?"),
    ("the 1920s", "the 20s", "In which decade was it founded?"),
    ("85.000", "85 Tausend", "Wie viele Einwohner hat die Stadt?"),
    ("21 000", "21.000", "¿Cuántos habitantes tiene?"),
    ("3 pm", "three in the afternoon", "When does it start?"),
    # titles
    ("Angela Merkel", "Chancellor Merkel", "Who won the election?"),
    ("Marie Curie", "Madame Curie", "Who discovered radium?"),
    # what is said of the same thing, or of another one, adds nothing
    ("Zaha Hadid", "It was designed by Hadid and built by Skanska.", "Who designed the hall?"),
    ("Honda", "Honda. Toyota makes the Corolla.", "Which company makes the Civic?"),
    ("Lake Baikal", "Lake Baikal. Lake Tanganyika is the second.", "Which lake is the deepest?"),
    ("1648", "In 1648, after the war had lasted thirty years.", "When was it signed?"),
    ("brown", "Brown is live, blue is neutral.", "Which wire is live?"),
    ("MySQL", "They switched from Oracle to MySQL.", "Which database does it use?"),
    ("Spain", "Italy were beaten by Spain.", "Who won the final?"),
    ("bees pollinate clover", "It is bees that pollinate clover.", "What pollinates what?"),
    ("from Hull to Oslo", "It left Hull and arrived in Oslo.", "Where did the ship sail?"),
    ("Mia lends Tom hers", "Tom rides the bike that Mia lent him.", "Who lends whom the bike?"),
    ("before the siege", "The siege came afterwards.", "When did it burn down?"),
    ("before the siege", "The fire preceded the siege.", "When did it burn down?"),
    ("after the flood", "once the flood was over", "When was the tunnel closed?"),
    ("after the flood", "The closure followed the flood.", "When was the tunnel closed?"),
    ("before World War II", "ahead of World War II", "When was it built?"),
    ("The strike led to the shortage.", "The shortage came about because of the strike.", ""),
    ("Overgrazing causes erosion.", "Overgrazing results in erosion.", "What causes what?"),
    ("paper from wood", "Wood is turned into paper.", "What is made from what?"),
    ("Nora is older than Emil", "Emil is the younger one", "Who is older, Nora or Emil?"),
    ("Nora is older than Emil", "The older of the two is Nora.", "Who is older, Nora or Emil?"),
    ("The bus is slower than the train", "The train is the faster one.", "How do they compare?"),
    ("老师推荐了小刘", "小刘被老师推荐了", "谁推荐了谁?"),
    ("东桥比西桥长", "西桥没有东桥长", "两座桥哪座更长?"),
    ("Ben", "Leo is shorter.", "Who is taller, Ben or Leo?"),
    ("K2", "Both are high. Of the two, K2 is the higher one.", "Which is higher, Everest or K2?"),
    ("billing depends on auth", "auth is a dependency of billing", "What depends on what?"),
    ("lead", "Iron weighs less than lead.", "Which is heavier, lead or iron?"),
    # clauses and sentences in another order, and things that a longer sentence names, too
    ("Arrays are static and lists are dynamic.", "Lists are dynamic, arrays are static.", ""),
    (
        "Arteries carry blood from the heart and veins carry blood to the heart.",
        "Veins carry blood to the heart, while arteries carry blood from the heart.",
        "",
    ),
    (
        "First, they are converted into postfix form, followed by an evaluation of the postfix "
        "expression.",
        "Computers convert infix expressions to postfix form and evaluate the postfix expression.",
        "How are infix expressions evaluated by computers?",
    ),
    (
        "It splits the original array into two, sorts each of the two halves, and then merges the "
        "sorted arrays.",
        "Split the array into two halves, sort each of the halves, then merge the sorted arrays.",
        "How does merge sort work?",
    ),
    (
        "The magician",
        "The Magician is the second book in the series by Michael Scott",
        "What is the second book in the series?",
    ),
    ("Central State", "Central State or Middle Kingdom.", "What does Zhongguo mean?"),
    ("Plants make oxygen and animals use it.", "Animals use it, plants make oxygen.", ""),
    (
        "Mitosis makes two cells while meiosis makes four.",
        "Meiosis makes four cells, mitosis only two.",
        "",
    ),
    # what stands behind "and" in a clause of its own, or in a remark, is no second thing
    ("tennis", "She plays tennis and trains every day.", "Which sport does she play?"),
    ("Monday", "It is Monday, and Tuesday is a holiday.", "Which day is it?"),
    ("yen", "The yen, which replaced the mon and the ryo.", "What is the currency of Japan?"),
    # two things are weighed, and the answer settles on the right one
    (
        "Ankara",
        "Istanbul or Ankara? Istanbul is bigger, but Ankara rules, so Ankara.",
        "Which is it?",
    ),
    ("Ankara", "I hesitated between Istanbul and Ankara. I'd say Ankara.", "Which is the capital?"),
    ("mercury", "Gallium or mercury? Therefore mercury it is.", "Which metal is liquid?"),
    (
        "water",
        "Oil floats. At first I thought oil, but water has to be.",
        "Which is heavier, oil or water?",
    ),
    # what follows from it is no conclusion on another thing
    (
        "Romulus",
        "Romulus founded it with Remus, but in the end Remus was killed.",
        "Who founded it?",
    ),
    ("Utrecht", "Utrecht; Spain finally gave up Gibraltar.", "Where was it signed?"),
    ("Holst", "Elgar or Holst? I'd say Holst.", "Who composed it?"),
    ("Holst", "I first had Elgar in mind, but now I believe it was Holst.", "Who composed it?"),
    ("the driver", "Prima facie the guard, but I'd say the driver.", "Who signs, driver or guard?"),
    (
        "carbon dioxide",
        "Oxygen or carbon dioxide? Carbon dioxide.",
        "Which?",
    ),
    ("二氧化碳", "氧气和二氧化碳,我选后者。", "吸收的是氧气还是二氧化碳?"),
    # another thing of which something else is said, and a part of the number
    ("Lima", "Lima, though Cusco was the capital of the Incas.", "What is the capital of Peru?"),
    ("acetic acid", "Acetic acid; citric acid is in lemons.", "Which acid is in vinegar?"),
    ("7", "7, that is 6 and a keeper", "How many players does a handball team field?"),
    # a comparison of something else comes first
    (
        "Nordbank",
        "Sparhaus has a higher profit, but for revenue Nordbank led.",
        "Which bank reported the higher revenue, Nordbank or Sparhaus?",
    ),
    (
        "the Punto",
        "The Fiesta costs less, but as to fuel the Punto is the better one.",
        "Which car uses less fuel, the Punto or the Fiesta?",
    ),
]


@pytest.mark.parametrize(("reference", "answer", "question"), WRONG)
def test_another_value_list_role_or_choice_is_not_right(
    reference: str, answer: str, question: str
) -> None:
    assert estimate.score(answer, reference, question) < 0.5


@pytest.mark.parametrize(("reference", "answer", "question"), RIGHT)
def test_another_spelling_is_right(reference: str, answer: str, question: str) -> None:
    assert estimate.score(answer, reference, question) > 0.5


# A value decides: not equal is at most 0.2, equal at least 0.8.
DECIDED = [
    ("-5 °C", "5 °C", False),
    ("€50", "$50", False),
    ("5 km", "5 miles", False),
    ("3/4", "It is 4/3.", False),
    ("5", "The result is 5 after all.", True),
    ("1e6", "a million", True),
    ("half", "50%", True),
]


@pytest.mark.parametrize(("reference", "answer", "same"), DECIDED)
def test_a_value_decides_and_its_reason_comes_first(
    reference: str, answer: str, same: bool
) -> None:
    entry = estimate.explain(answer, reference, "What is it?")
    assert entry["score"] >= 0.8 if same else entry["score"] <= 0.2
    first = entry["reasons"][0]
    assert (first["kind"] == "same", first["weight"] > 0) == (same, same)
    # An answer that has the value lacks nothing.
    assert not (same and "missing" in [one["kind"] for one in entry["reasons"]])
    assert (entry["interpretation"], entry["right"]) == ("probability", same)


# What words alone cannot tell is called a ranking: reference, answer, question.
UNSURE = [
    ("no", "Penguins are flightless birds.", "Can penguins fly?"),
    ("Spain", "Spain and France", "Which country is Seville in?"),
    ("It is hot.", "It is cold.", "How is it?"),
    ("the krona", "The krona was given up there.", "What is the currency of Sweden?"),
    ("iodine", "Iodine. A lack of it does so seldom.", "Which deficiency causes goitre?"),
    ("Muhammad Ali Jinnah", "Muhammad Ali", "Who founded Pakistan?"),
    ("George W. Bush", "George H. W. Bush", "Who was president after Clinton?"),
    ("Sofia Coppola", "Sophie Coppola", "Who directed the film?"),
    (
        "Refunds are not possible after 14 days.",
        "Refunds are possible after 14 days.",
        "Are refunds possible?",
    ),
]
# It keeps away from 0 and 1 where the answer has other words than the reference, or something
# contradicts these.
FAR_FROM_CERTAIN = UNSURE[:3] + UNSURE[8:]


@pytest.mark.parametrize(("reference", "answer", "question"), UNSURE)
def test_estimates_that_words_cannot_decide_are_no_probabilities(
    reference: str, answer: str, question: str
) -> None:
    entry = estimate.explain(answer, reference, question)
    assert (entry["interpretation"], entry["right"]) == ("ranking", None)


@pytest.mark.parametrize(("reference", "answer", "question"), FAR_FROM_CERTAIN)
def test_pairs_that_only_meaning_decides_have_no_certain_estimate(
    reference: str, answer: str, question: str
) -> None:
    assert 0.1 < estimate.score(answer, reference, question) < 0.9


# A reason against an answer counts by its weight: the answer, its reference, the question, the
# kind.
COUNTED = [
    ("Aristotle was the teacher of Plato", "Plato was the teacher of Aristotle", "", "roles"),
    ("red", "red, green and blue", "What are the colours?", "partial"),
    ("It is cold.", "It is hot.", "", "opposite"),
    ("Kate Bush", "George Bush", "Who was president?", "given_name"),
    ("Java or Rust? Rust is faster, so it must be Rust.", "Java", "Which language?", "replaced"),
]


@pytest.mark.parametrize(("answer", "reference", "question", "kind"), COUNTED)
def test_each_reason_has_its_weight_and_a_sentence(
    answer: str,
    reference: str,
    question: str,
    kind: str,
) -> None:
    told = [
        one
        for one in estimate.explain(answer, reference, question)["reasons"]
        if one["kind"] == kind
    ]
    (reason,) = told
    assert reason["weight"] < 0
    assert (
        repr(reason["found"]) in reason["sentence"]
        or repr(reason["expected"]) in reason["sentence"]
    )
    assert reason["found"] in answer


def test_reasons_after_the_first_are_ordered_by_weight() -> None:
    for reference, answer, question in WRONG + RIGHT:
        first, *weights = [
            one["weight"] for one in estimate.explain(answer, reference, question)["reasons"]
        ]
        sizes = [abs(weight) for weight in weights]
        assert sizes == sorted(sizes, reverse=True), answer
        assert abs(first) > 0, answer


def test_nine_of_ten_values_of_many_kinds_are_decided_rightly() -> None:
    rows = list(read_shared_rows("cases/values.jsonl"))
    missed = []
    for row in rows:
        score = estimate.score(row["answer"], row["references"], row["question"])
        if (score > 0.5) is not bool(row["truth"]):
            missed.append((row["answer"], row["references"]))
    assert len(missed) <= 0.1 * len(rows), missed


def test_people_at_the_start_of_a_sentence_are_no_name() -> None:
    entry = estimate.explain("People walked on it.", "Humans landed on it.", "What happened?")
    assert "name" not in [reason["kind"] for reason in entry["reasons"]]


# Texts that are no usual answers; each stands as the answer and as the reference.
AWKWARD = [
    "9" * 10_000,
    "1e999",
    "1/0",
    "-" * 5000 + "5",
    "5 " + "km/" * 3000,
    "√" * 3000,
    "MDCLXVI" * 2000,
    "三分之" * 3000,
    "red, " * 1000 + "blue",
    "A, B " * 1000,
    "".join(f"({letter}) x " for letter in "ABCDEFGHIJ" * 100),
    "Ann beat Bob and " * 500,
    "yes and no " * 1000,
    r"\frac{" * 3000,
    "\ud800 5",
    "",
    "It costs é5 and я7.",
    "1e580",
    "He\tlikes\tit",
    "X " * 10_000,
    "no, yes, " * 1000,
]


@pytest.mark.parametrize(
    "text", AWKWARD, ids=[text[:10].encode("ascii", "replace").decode() for text in AWKWARD]
)
def test_no_text_fails_and_every_score_is_between_0_and_1(text: str) -> None:
    for answer, reference, question in (
        (text, "5 km", ""),
        ("5 km", text, ""),
        (text, text, text),
        (text, "5", "How much did Tim or Tom's brother pay?"),
        ("It was small.", text, "Who likes Rex?"),
    ):
        entry = estimate.explain(answer, reference, question)
        assert 0 <= entry["score"] <= 1
        assert entry["score"] == estimate.score(answer, reference, question)
