"""Pairs written by hand: what differs between an answer and a reference, and rewordings in which nothing does.

Each is (reference, answer, question, kind); the kind of a harmless rewording is "".
"""

DIFFERENCES = [
    # numbers
    ("five", "There are seven of them.", "How many are there?", "number"),
    ("1.5 million", "1.5 billion", "", "number"),
    ("Henry VIII", "Henry VII", "Which king had six wives?", "number"),
    ("a dozen", "six", "How many eggs?", "number"),
    ("the 1990s", "the 1980s", "", "number"),
    # dates
    ("28 January 1813", "1813-02-28", "", "date"),
    ("December 2014", "It came out in November 2014.", "", "date"),
    # units
    ("5 km", "5 miles", "How far is it?", "unit"),
    ("It weighs 20 kg.", "It weighs 20 pounds.", "", "unit"),
    ("€500", "$500", "", "unit"),
    ("60 mph", "60 km/h", "", "unit"),
    ("5 percent", "5 dollars", "", "unit"),
    # denials
    ("Paris", "It is not Paris.", "What is the capital of France?", "denied"),
    ("Yes", "No", "Is the earth round?", "denied"),
    ("The door was locked.", "The door wasn't locked.", "", "denied"),
    ("Marie Curie", "It was anyone but Marie Curie.", "Who discovered radium?", "denied"),
    ("It is possible to see it from space.", "It is impossible to see it from space.", "", "denied"),
    ("The patient is responsive.", "The patient is unresponsive.", "", "denied"),
    ("Nobody was injured in the crash.", "People were injured in the crash.", "", "denied"),
    ("Einstein", "It is false that it was Einstein.", "Who proposed relativity?", "denied"),
    # names
    (
        "Niagara Falls is located on the border between the United States and Canada.",
        "Niagara Falls is located on the border between the United States and Mexico.",
        "Where is Niagara falls located?",
        "name",
    ),
    ("George Bush", "Kate Bush", "Who was president?", "given_name"),
    ("The film was directed by Steven Spielberg.", "The film was directed by George Lucas.", "", "name"),
    ("Berlin is the capital of Germany.", "Munich is the capital of Germany.", "", "name"),
    ("New Zealand", "New Jersey", "Where was it filmed?", "name"),
    ("Ottawa", "Toronto is the capital.", "What is the capital of Canada?", "name"),
    # Chinese
    ("《红楼梦》的作者是清代作家曹雪芹。", "《红楼梦》的作者是清代作家吴承恩。", "《红楼梦》的作者是谁？", "name"),
    ("曹雪芹", "吴承恩", "《红楼梦》的作者是谁？", "name"),
    ("5公里", "5公斤", "", "unit"),
    ("他去过北京。", "他没去过北京。", "", "denied"),
    ("李白", "作者是杜甫。", "《静夜思》的作者是谁？", "name"),
    ("两万人", "大约三万人。", "有多少人？", "number"),
    ("巴西", "世界杯冠军是阿根廷。", "谁是冠军？", "name"),
]

HARMLESS = [
    ("1813", "It was published on 28 January 1813.", "When was it published?"),
    ("Jan. 1, 2000", "1 January 2000", ""),
    ("half", "50%", ""),
    ("the 19th century", "the nineteenth century", ""),
    ("first", "1st", ""),
    ("Henry VIII", "Henry the Eighth", "Which king had six wives?"),
    ("World War II", "WWII", ""),
    ("21", "twenty-one", ""),
    ("1 year", "12 months", ""),
    ("100 °C", "100 degrees Celsius", ""),
    ("£20", "20 pounds", ""),
    ("2/3", "two thirds", ""),
    ("The United Nations was founded in 1945.", "The UN was founded in 1945.", ""),
    ("Jane Austen", "It was written by Austen.", "Who wrote Emma?"),
    ("Pyotr Ilyich Tchaikovsky", "Peter Tchaikovsky", "Who composed Swan Lake?"),
    ("Bill Clinton", "William Clinton", "Who was president in 1995?"),
    ("NASA", "National Aeronautics and Space Administration", ""),
    ("Paris", "PARIS!", "What is the capital of France?"),
    ("Paris", "It is Paris, not London.", "What is the capital of France?"),
    ("Paris", "There is no doubt that it is Paris.", "What is the capital of France?"),
    ("The law was not passed.", "The law wasn't passed.", ""),
    ("It is not possible.", "It is impossible.", ""),
    ("Penguins cannot fly.", "No, penguins can't fly.", "Can penguins fly?"),
    ("The experiment failed.", "The experiment did not succeed.", ""),
    ("Nobody was injured.", "No one was injured.", ""),
    ("It contains vitamin C.", "Vitamin C is in it.", ""),
    ("Germany beat Argentina in the final.", "In the final, Argentina lost to Germany.", ""),
    ("Warsaw, Poland", "She was born in Warsaw.", "Where was she born?"),
    ("Mount Everest", "Everest", "What is the highest mountain?"),
    ("New York City", "New York", "Where is it?"),
    ("Not only was he a poet, he was a painter.", "He was a poet and a painter.", ""),
    ("He won 3 medals.", "He won three medals in 2012.", "How many medals did he win?"),
    # Chinese
    ("1949年10月1日", "一九四九年十月一日", "何时成立？"),
    ("1949年", "新中国成立于1949年10月1日。", "新中国成立于哪一年？"),
    ("５公里", "5千米", ""),
    ("三万人", "30000人", ""),
    ("长江是中国最长的河流。", "中国最长的河流是长江。", "中国最长的河流是什么？"),
    ("美国", "美利坚合众国", ""),
    ("修建长城是为了抵御北方游牧民族。", "长城是为抵御北方的游牧民族而修建的。", "为什么修建长城？"),
]
