"""Answers that anybody might try first, of many kinds: whether the estimate calls them right."""

import pytest

from tests.support.project import import_file

estimate = import_file("correctness_estimate")

# A question, its reference, right answers and wrong ones.
QUESTIONS: list[tuple[str, str, list[str], list[str]]] = [
    ("Which day is the meeting?", "Tuesday", ["Tue"], []),
    ("What is the phone number?", "555-0199", ["5550199", "555 0199", "(555) 0199"], ["555-0198"]),
    ("How tall is she?", "1.75 m", ["1 m 75"], []),
    ("What was the final score?", "2-1", ["2:1"], ["1-2"]),
    ("How many errors were found?", "none", ["no errors"], []),
    ("Solve x^2 = 9.", "x = 3 or x = -3", ["3 and -3"], []),
    ("How many people live there?", "1.4 billion", ["1400 million"], []),
    (
        "What did the court decide?",
        "The appeal was dismissed",
        [],
        ["The appeal was allowed", "It upheld the appeal.", "The appeal was granted."],
    ),
    ("True or false: water boils at 50 °C.", "False", ["F"], []),
    (
        "What is photosynthesis?",
        "the process by which plants turn light into energy",
        [],
        ["the process by which plants turn energy into light"],
    ),
    (
        "What must be done first?",
        "switch off the power",
        ["The power must be switched off."],
        [
            "switch on the power",
            "turn on the power",
            "switch the power on",
            "The power is switched on.",
        ],
    ),
    (
        "Where is the key?",
        "under the mat",
        ["It's under the mat.", "beneath the mat"],
        ["on the mat", "above the mat", "behind the mat", "It is on the old mat."],
    ),
    ("Which king ruled then?", "Louis XIV", [], ["Henry XIV"]),
    ("What is the IP address?", "192.168.0.1", [], ["192.168.1.0", "192.168.0.10", "192.168.0"]),
    ("What's the maximum weight?", "20 kg", [], ["at least 20 kg"]),
    ("When do I take the medicine?", "before meals", [], ["with meals"]),
    ("What is allowed?", "dogs on a leash", [], ["dogs without a leash"]),
    (
        "Are refunds possible?",
        "Only within 30 days",
        ["Yes, but only within 30 days."],
        ["Only after 30 days", "Never"],
    ),
    ("Did all students pass?", "All but two passed", [], ["All passed", "Two passed"]),
    ("Which state?", "New Mexico", [], ["Mexico"]),
    ("Which country?", "Mexico", [], ["New Mexico"]),
    ("Which state?", "West Virginia", [], ["Virginia"]),
    ("Which state?", "Virginia", [], ["West Virginia"]),
    ("Which country?", "South Sudan", [], ["Sudan"]),
    ("Which country?", "Sudan", [], ["South Sudan"]),
    (
        "Which country?",
        "North Korea",
        ["DPRK", "the Democratic People's Republic of Korea"],
        ["Korea"],
    ),
    ("Which country?", "Niger", [], ["Nigeria"]),
    ("Which country?", "Austria", [], ["Australia"]),
    ("Which country?", "Iran", ["Persia"], []),
    ("Which country?", "Guinea", [], ["Equatorial Guinea"]),
    ("Which city?", "York", [], ["New York"]),
    ("Which city?", "New York", [], ["York"]),
    ("Which city?", "Mexico City", ["Ciudad de México", "CDMX"], []),
    (
        "Which film?",
        "The Godfather",
        ["The Godfather (1972)"],
        ["The Godfather Part II", "The Godfather 2"],
    ),
    ("Which gas?", "carbon dioxide", ["CO2", "CO₂"], ["carbon monoxide"]),
    ("Which gas?", "nitrogen", ["N2", "N"], ["nitrogen dioxide"]),
    ("Which acid?", "sulfuric acid", ["H2SO4", "sulphuric acid"], ["sulfurous acid"]),
    ("Which flight?", "BA 249", ["British Airways 249"], ["AA 249"]),
    ("How is the solution?", "hypertonic", [], ["hypotonic"]),
    ("How was the value?", "overvalued", [], ["undervalued"]),
    ("What was the company?", "understaffed", [], ["overstaffed"]),
    ("What is the economy based on?", "microeconomics", [], ["macroeconomics"]),
    ("What kind of fats?", "monounsaturated", [], ["polyunsaturated"]),
    ("Which bond?", "intramolecular", [], ["intermolecular"]),
    ("How did he act?", "thoughtfully", [], ["thoughtlessly"]),
    (
        "How did the firm react?",
        "It apologized",
        [],
        ["It refused to apologize", "It did not apologize"],
    ),
    ("Was the child born alive?", "stillborn", [], ["It was born alive"]),
    ("What is the relation?", "inversely proportional", [], ["directly proportional"]),
    (
        "Which is cheaper?",
        "the bus",
        ["The train is dearer than the bus."],
        ["The bus is more expensive.", "The bus is dearer."],
    ),
    (
        "How many passed?",
        "all but two",
        ["everyone except two", "all except two"],
        ["all", "two", "all but three"],
    ),
    (
        "Who came?",
        "everyone except Tom",
        [],
        ["everyone", "only Tom", "Tom", "everyone except Ann"],
    ),
    ("How many?", "at least three", [], ["fewer than three"]),
    ("How old?", "in her forties", ["in her 40s", "between 40 and 49"], ["in her fifties"]),
    (
        "Where did she move?",
        "She moved to Spain",
        ["She moved to Spain from Italy."],
        ["from Spain"],
    ),
    ("When can I return it?", "within 30 days", ["In 30 days or less"], ["after 30 days"]),
    ("How long was he king?", "until 1990", [], ["since 1990"]),
    ("Where did it happen?", "outside the building", [], ["in the building"]),
    ("Where is the kitchen?", "behind the stairs", [], ["on the stairs", "under the stairs"]),
    ("Where's the cat?", "on the roof", [], ["under the roof", "behind the roof"]),
    ("Where does the river flow?", "into the sea", [], ["from the sea"]),
    ("Who is the oldest?", "Anna", [], ["Anna is the youngest"]),
    ("Which country has the highest GDP?", "USA", [], ["The USA has the lowest GDP."]),
    (
        "Which metal melts at the lowest temperature?",
        "mercury",
        [],
        ["Mercury has the highest melting point."],
    ),
    (
        "Which animal is faster?",
        "the cheetah",
        ["The lion is slower than the cheetah."],
        ["The cheetah is slower."],
    ),
    ("Who has more money?", "Tom", ["Ben has less than Tom."], ["Tom has less."]),
    ("Which city did they move to?", "New York City", [], ["York"]),
    ("Where does Maria come from?", "South Korea", ["Republic of Korea"], []),
    ("Which day is the meeting?", "Tuesday", ["Tue."], ["any day but Tuesday"]),
    ("How long does the battery last?", "24 hours", ["a full day"], []),
    ("How much does the ticket cost?", "$15", [], ["15 cents"]),
    ("What does the coffee cost?", "€2.50", ["2 euros and 50 cents"], []),
    ("How much does he earn an hour?", "20 dollars an hour", [], ["$20 a day"]),
    ("How much change did she get?", "50 cents", ["$0.50", "half a dollar"], ["50 dollars"]),
    ("How big is the flat?", "60 square meters", [], ["60 square feet"]),
    ("What is the ratio of sand to cement?", "3 to 1", ["3:1"], []),
    ("How many mistakes are allowed?", "fewer than 5", [], ["exactly 5"]),
    (
        "Are dogs allowed in the park?",
        "Yes, but only on a leash.",
        [],
        ["Yes, only without a leash"],
    ),
    ("True or false: The sun is a star.", "True", ["T"], []),
    (
        "What happens when you press the button twice?",
        "The lamp turns off.",
        [],
        ["The lamp turns on."],
    ),
    ("How did her health change?", "It got better.", ["It improved.", "Her health improved"], []),
    ("How are Lisa and Mark related?", "Lisa is Mark's mother.", [], ["Mark is Lisa's father."]),
    (
        "Who hired whom?",
        "Ms. Grant hired Joe.",
        [],
        ["Joe hired Ms. Grant.", "Ms. Grant was hired by Joe."],
    ),
    (
        "Who gave whom the ring?",
        "Frodo got the ring from Bilbo.",
        [],
        ["Frodo gave the ring to Bilbo."],
    ),
    ("Where is the key?", "under the mat", [], ["on the mat", "next to the mat"]),
    (
        "Where does the village lie?",
        "10 km north of Munich",
        [],
        ["10 miles north of Munich", "100 km north of Munich"],
    ),
    (
        "When is parking allowed here?",
        "Every day except on Sundays",
        [],
        ["only on Sundays", "every day including Sundays", "every day except on Saturdays"],
    ),
    (
        "Can I get a refund?",
        "Yes, within 14 days with the receipt",
        [],
        ["Yes, within 14 months with the receipt", "Yes, within 14 days, no receipt needed"],
    ),
    (
        "Who won the Battle of Waterloo?",
        "Wellington and Blücher defeated Napoleon",
        [],
        [
            "Napoleon defeated Wellington and Blücher",
            "Wellington and Blücher were defeated by Napoleon",
        ],
    ),
    ("How far did he throw the javelin?", "87.5 m", ["eighty-seven and a half metres"], []),
    ("What is the minimum Python version?", "3.9 or later", [], ["at most 3.9"]),
    ("For which x is the function positive?", "For x > 2", [], ["for x = 2"]),
    ("What is the derivative of x^3?", "3x^2", ["3*x**2"], []),
    ("On which day is the shop closed?", "Monday", ["Mon."], ["It's open on Mondays"]),
    ("Where do I change trains?", "In Cologne", [], ["anywhere but Cologne"]),
    ("What time does the last ferry leave?", "23:45", ["quarter to midnight", "at 23.45"], []),
    ("How cold was it last night?", "-5 °C", ["five below zero, Celsius"], []),
    ("How many children do they have?", "Two daughters and a son", [], ["two sons and a daughter"]),
    (
        "What must you do first?",
        "Turn off the power",
        [],
        ["turn on the power", "Leave the power on"],
    ),
    (
        "Which way do you turn the screw?",
        "Clockwise",
        [],
        ["anti-clockwise", "anticlockwise, to the left"],
    ),
    (
        "Where should the device be stored?",
        "In a dry place out of reach of children",
        [],
        ["in a dry place within reach of children"],
    ),
    (
        "When do I get the bonus?",
        "If I sell at least 100 units",
        [],
        [
            "if I sell fewer than 100 units",
            "if I sell at most 100 units",
            "unless I sell at least 100 units",
            "if I sell at least 1000 units",
        ],
    ),
    ("Will he come to the party?", "Only if his sister comes too", [], ["unless his sister comes"]),
    (
        "How many students passed?",
        "All but one",
        ["everyone except one"],
        ["only one", "all of them", "all but ten"],
    ),
    (
        "Did the guests like the food?",
        "Most of them did",
        [],
        ["none of them did", "only a few did"],
    ),
    ("How many apples are left?", "A dozen", [], ["two dozen"]),
    (
        "How many of the questions did he answer correctly?",
        "More than half, but not all",
        [],
        ["all of them"],
    ),
    (
        "Which US president was impeached in 1868?",
        "Andrew Johnson",
        ["andrew johnson", "johnson", "president johnson"],
        ["andrew jackson", "lyndon johnson"],
    ),
    (
        "Who won?",
        "Jessica Ennis",
        ["jessica ennis", "ennis", "jess ennis"],
        ["jessica judd", "serena ennis"],
    ),
    (
        "Who wrote it?",
        "Jane Austen",
        ["jane austen", "austen", "j. austen"],
        ["emily bronte", "jane smith"],
    ),
    (
        "Which of the two bridges is older?",
        "The Stone Bridge is older than the Rail Bridge",
        [],
        ["The Stone Bridge is newer than the Rail Bridge."],
    ),
    (
        "From where to where did the caravan travel?",
        "From Kashgar to Samarkand",
        [],
        [
            "The caravan set out from Samarkand, and after several weeks on the road it reached "
            "Kashgar, where the journey ended."
        ],
    ),
    (
        "Who interviewed whom on the podcast?",
        "Nadia interviewed the mayor",
        [],
        ["The mayor interviewed Nadia.", "Nadia was interviewed by the mayor."],
    ),
    (
        "What turns into what when cream is whipped too long?",
        "Cream turns into butter",
        [],
        ["The butter becomes cream."],
    ),
    (
        "What was converted into what?",
        "The church was converted into a library",
        [],
        ["A library became a church."],
    ),
    (
        "Which currency was exchanged for which?",
        "Euros were exchanged for yen",
        [],
        ["Yen were changed into euros at the counter."],
    ),
    (
        "From which language into which was the manual translated?",
        "From Finnish into Portuguese",
        [],
        ["It was rendered in Finnish from the Portuguese original."],
    ),
    (
        "Which numbers open the safe, in any order?",
        "7, 19 and 42",
        ["42, 7 and 19", "You need 19 and 42, plus 7."],
        [],
    ),
    (
        "Which bus lines stop at the hospital?",
        "Lines 4, 11 and 26",
        [],
        ["Lines 4 and 11.", "Lines 4, 11, 26 and 30"],
    ),
    (
        "What did the detective find under the bed?",
        "A key",
        [],
        ["A key and a bloodstained letter"],
    ),
    (
        "What metal is liquid at room temperature?",
        "Mercury",
        ["Mercury, once widely used in thermometers."],
        ["Mercury and iron", "Mercury, and also copper"],
    ),
    (
        "Which colour did they choose for the front door?",
        "Dark green",
        ["Dark green, a colour that hides dirt well."],
        ["Both dark green and red"],
    ),
    (
        "What is the largest ocean?",
        "The Pacific",
        [],
        ["The Pacific or the Indian Ocean", "The Pacific, and equally the Arctic Ocean"],
    ),
    ("Which insect makes honey?", "The honeybee", [], ["The honeybee or the dragonfly"]),
    (
        "What is the hardest natural mineral?",
        "Diamond",
        ["That would be diamond, with a value of 10 on the Mohs scale."],
        ["Diamond and quartz", "Diamond or talc", "Diamond, tied with gypsum"],
    ),
    (
        "What did the patient turn out to be allergic to?",
        "Penicillin",
        [],
        ["Penicillin and peanuts", "Penicillin or latex"],
    ),
    (
        "How did the patient's condition develop overnight?",
        "It got worse.",
        ["It deteriorated."],
        [],
    ),
    ("Which spice gives the rice its yellow colour?", "Saffron", [], ["Saffron or else turmeric."]),
    (
        "What is the longest river in Africa?",
        "The Nile",
        ["I wavered between the Congo and the Nile and settled on the Nile."],
        [],
    ),
    (
        "Which bone is the longest in the human body?",
        "The femur",
        ["The tibia or the femur? The femur, clearly."],
        [],
    ),
    (
        "Which country has the city of Marrakesh?",
        "Morocco",
        ["Tunisia or Morocco? Definitely Morocco."],
        [],
    ),
    (
        "Which of the two routes is shorter?",
        "The coastal route",
        [],
        ["The coastal route? Or the mountain route? I couldn't tell you."],
    ),
    (
        "What should you clean a phone screen with?",
        "A microfibre cloth",
        [
            "Use a microfibre cloth and avoid paper towels.",
            "A microfibre cloth; avoid paper towels.",
            "A microfibre cloth, which avoids scratches.",
            "Avoid scratches with a microfibre cloth.",
        ],
        ["Steer clear of microfibre cloths."],
    ),
    (
        "What does the parrot eat?",
        "Seeds",
        [
            "Seeds; it won't touch fruit.",
            "It refuses everything other than seeds.",
            "It refuses everything except seeds.",
        ],
        ["It refuses seeds.", "It hates seeds."],
    ),
    (
        "Which of the brothers came?",
        "Anton",
        ["None of them except Anton"],
        ["All of them except Anton"],
    ),
    (
        "Which port does the server listen on?",
        "8080",
        ["It ignores every port except 8080."],
        ["any port but 8080", "It listens on any port except 8080.", "All ports other than 8080"],
    ),
    (
        "What did the doctor diagnose?",
        "pneumonia",
        ["She ruled out asthma and diagnosed pneumonia."],
        ["She ruled out pneumonia."],
    ),
    (
        "What does the coach advise?",
        "Practising every day",
        ["She warns against laziness and advises practising every day."],
        [
            "Practising every day is what she warns against.",
            "She discourages practising every day.",
        ],
    ),
    (
        "Can the sauce be frozen?",
        "Yes",
        ["Freezing does no harm."],
        ["Freezing ruins it.", "It's unsuitable for freezing because the cream splits."],
    ),
    (
        "Who reached the summit first?",
        "Elsa Brandvold",
        ["Elsa Brandvold, with her guide"],
        ["Both Elsa Brandvold and her guide"],
    ),
    (
        "By how much did sales change in the third quarter?",
        "They fell by 8%",
        ["-8%"],
        ["+8%", "plus 8 percent"],
    ),
    (
        "How much does the monthly family plan cost?",
        "€14.99",
        ["14.99 euros a month"],
        ["14.99 euros a year", "€14.99 per year", "€14.99 a week"],
    ),
    ("What is the yearly fee?", "$120", ["$10 a month"], ["$120 a month"]),
    (
        "What is the maximum dose of this painkiller per day?",
        "4 g",
        ["four grams a day", "4 g per day"],
        ["4 g a week"],
    ),
    ("How far does she run per week?", "30 km", ["30 km a week"], ["30 km a day"]),
    (
        "What is the value of pi to two decimal places?",
        "3.14",
        ["three point one four", "Pi is about three point one four."],
        ["three point one five"],
    ),
    ("How tall is the tower?", "12.5 m", ["twelve point five metres"], []),
    (
        "In which decade did disco reach its peak?",
        "the 1970s",
        ["the nineteen-seventies", "the nineteen seventies"],
        ["the nineteen-eighties"],
    ),
    (
        "On which weekday is the rubbish collected?",
        "every other Tuesday",
        ["every second Tuesday"],
        ["every other Thursday", "every Tuesday"],
    ),
    (
        "When does the market take place?",
        "every Saturday",
        ["on Saturdays"],
        ["every other Saturday", "every second Saturday"],
    ),
    (
        "True or false: sound travels faster in water than in air. A) True B) False",
        "A) True",
        ["That is correct"],
        ["That is not true", "Not A"],
    ),
    ("Who painted the water lilies at Giverny?", "Claude Monet", ["Monet"], ["Manet"]),
    (
        "What is the wifi password?",
        "Sunflower-42",
        ["The password is Sunflower-42."],
        ["Sunflower", "Moonflower-42"],
    ),
    ("What is the serial number?", "AX-1093-B", ["AX 1093 B", "It's AX-1093-B"], ["AX-1093-C"]),
    (
        "Which operation comes first in 2 + 3 × 4?",
        "the multiplication",
        ["multiplication, then addition"],
        [
            "addition before multiplication",
            "addition, then multiplication",
            "multiplication comes after addition",
        ],
    ),
    (
        "Which was built first?",
        "the church",
        ["the church before the castle"],
        [
            "the castle before the church",
            "The church was built after the castle",
            "First the castle, then the church",
            "The castle, followed by the church",
        ],
    ),
    (
        "Why did the teacher praise Tom?",
        "He helped a classmate who was being bullied",
        ["Because he helped a bullied classmate"],
        [
            "A classmate helped him when he was being bullied",
            "He was helped by a classmate who was being bullied",
        ],
    ),
    (
        "What happened at the meeting?",
        "She thanked him",
        ["He was thanked by her"],
        ["He thanked her", "She was thanked by him"],
    ),
    (
        "Why does ice float? A) It is not cold B) It is less dense than water C) It's salty",
        "B",
        ["Neither A nor C"],
        ["Not B", "It is not B, so C"],
    ),
    (
        "Which was built first, the church or the castle?",
        "the church",
        ["The church was built before the castle."],
        ["The castle was built before the church.", "The church came after the castle"],
    ),
    (
        "Which wife of Henry VIII came first?",
        "Catherine of Aragon",
        ["Catherine of Aragon, followed by Anne Boleyn"],
        ["Anne Boleyn, followed by Catherine of Aragon"],
    ),
    (
        "Which step comes last?",
        "painting",
        ["First sanding and then painting"],
        ["painting, then sanding"],
    ),
    (
        "Which employees have to attend the safety training?",
        "All employees without exception",
        ["All employees"],
        ["Not all employees, just the warehouse staff.", "All employees except the managers."],
    ),
    (
        "Which animal does the ship's cook keep on board?",
        "A parrot",
        ["A parrot rather than a monkey"],
        ["A monkey in place of the parrot.", "He used to keep a parrot, but now it's a cat."],
    ),
    (
        "Which witness told the police the truth?",
        "The waiter",
        [
            "Only the waiter did not lie.",
            "It was the waiter, whereas the driver failed to tell the truth.",
        ],
        ["The driver; the waiter lied.", "The waiter lied."],
    ),
    (
        "What is the capital of Australia?",
        "Canberra",
        ["Canberra, which is far from Perth"],
        ["Canberra is far from being the capital; that is Sydney."],
    ),
    (
        "What must be left out of the dough for this bread to be gluten free?",
        "Wheat flour",
        [
            "No wheat flour may go in.",
            "You have to make it without wheat flour.",
            "Don't use wheat flour.",
        ],
        [],
    ),
    (
        "Which player refused to shake hands after the match?",
        "The goalkeeper",
        [
            "The goalkeeper would not shake hands.",
            "Everyone shook hands apart from the goalkeeper.",
            "The goalkeeper didn't want to.",
        ],
        [
            "The captain refused, although the goalkeeper did shake hands.",
            "The goalkeeper shook hands.",
        ],
    ),
    (
        "Which of the brothers has never been abroad?",
        "Tom",
        ["Tom hasn't ever left the country.", "Only Tom has not."],
        ["Tom has been abroad.", "Tom has been abroad many times, Max has not."],
    ),
    (
        "Which day is the museum closed?",
        "Monday",
        [
            "Monday is the only day you cannot visit.",
            "It isn't open on Mondays.",
            "It is open every day except Monday.",
        ],
        ["It is open on Monday."],
    ),
    (
        "What is the main ingredient of traditional hummus?",
        "Chickpeas",
        ["Without chickpeas it would not be hummus."],
        ["Hummus without chickpeas"],
    ),
    (
        "What caused the server outage?",
        "An expired certificate",
        [
            "Nothing more than a certificate that had expired.",
            "An expired certificate rather than a hardware fault.",
        ],
        ["A hardware fault rather than an expired certificate."],
    ),
    (
        "Which language was the Linux kernel mainly written in?",
        "C",
        ["C rather than C++", "Mainly C, and not C++."],
        ["C++", "C#", "C and C++"],
    ),
    (
        "What was forbidden on the ship?",
        "Whistling",
        ["Whistling was not allowed.", "You could not go whistling."],
        ["Whistling was allowed."],
    ),
    (
        "Who missed the meeting?",
        "Karen",
        ["Karen did not come.", "Karen was not there.", "Everyone attended except Karen."],
        ["Karen attended.", "Paul did; Karen was there."],
    ),
    ("Which language is Chrome written in?", "C++", ["C++17"], ["C", "C#"]),
    ("Which note is it?", "C sharp", ["C#"], ["C"]),
    (
        "Does sound travel faster in water than in air?",
        "Yes",
        ["Sound is faster in water."],
        ["Sound is slower in water."],
    ),
    ("Is the number 91 prime?", "No", ["91 isn't prime."], ["91 is prime."]),
    (
        "Do spiders have six legs?",
        "No",
        ["Spiders have eight legs, not six."],
        ["Spiders have six legs."],
    ),
    (
        "Is the grandmother still alive at the end of the story?",
        "Yes",
        ["She doesn't die."],
        ["She dies."],
    ),
    (
        "Can you freeze cooked rice?",
        "Yes",
        [
            "There's no problem with that.",
            "There is nothing wrong with that",
            "I see no reason why not.",
        ],
        [],
    ),
    (
        "Is Greenland part of the Kingdom of Denmark?",
        "Yes",
        ["It belongs to the Kingdom of Denmark as a self-governing territory."],
        ["It belongs to Canada"],
    ),
    (
        "Does the train from Milan to Rome stop in Florence?",
        "Yes",
        ["You can get off in Florence."],
        ["It goes through Florence without stopping."],
    ),
    (
        "Does Anna like her new job?",
        "Yes",
        ["She does, very much.", "She does, a lot"],
        ["She doesn't, at all."],
    ),
    (
        "When does the film start?",
        "7:30",
        [
            "seven thirty",
            "at seven thirty pm",
            "It starts at seven thirty, I think.",
            "seven-thirty",
        ],
        ["seven fifteen"],
    ),
    (
        "Is the village reachable by bus?",
        "No",
        ["Buses don't go there."],
        ["There is a bus every hour."],
    ),
    (
        "Can I pay by card at the market?",
        "No",
        ["Bring cash, because none of the stalls accept cards."],
        ["All stalls take cards."],
    ),
    (
        "Did the two companies merge in the end?",
        "No",
        ["They remained separate."],
        ["The merger went ahead."],
    ),
    (
        "Will Tom come to the party?",
        "Yes",
        ["Tom is coming.", "He'll be there."],
        ["Tom said he can't make it."],
    ),
    (
        "Is the app available for Linux?",
        "Yes",
        ["It runs on Linux as well as on Windows and Mac."],
        ["Linux users are out of luck, as it was never released for their system."],
    ),
    ("Is the bill paid?", "No", ["The bill is still open."], ["We paid it yesterday."]),
    (
        "Is it safe to drink the water?",
        "Yes",
        ["You don't need to worry.", "It won't harm you"],
        ["You'd better not drink it."],
    ),
    (
        "When does it close?",
        "9:05 pm",
        ["nine oh five", "nine oh five in the evening"],
        ["nine oh five am"],
    ),
    (
        "What happened?",
        "She thanked him",
        ["It was she who thanked him."],
        ["It was he who thanked her."],
    ),
    (
        "What happened?",
        "He missed the bus.",
        ["The reason is he missed the bus."],
        ["The bus missed him"],
    ),
    (
        "What happened?",
        "I told her about it",
        ["I told her about it yesterday"],
        ["She told me about it", "I was told about it by her"],
    ),
    (
        "Which bone is the longest in the human body?",
        "the femur",
        ["The tibia is long, but the longest is the femur."],
        ["The femur is long as well, but the longest is the tibia."],
    ),
    (
        "Which planet has the most massive ring system?",
        "Saturn",
        [],
        ["Saturn has rings too, but the answer is Uranus."],
    ),
    (
        "Which virus causes chickenpox?",
        "varicella zoster",
        [],
        ["Varicella zoster is a relative, but the right one is herpes simplex."],
    ),
    (
        "Which supplier got the office furniture contract?",
        "Brennholt",
        ["Kast & Co made the lowest offer, but the contract went to Brennholt."],
        ["Brennholt made the lowest offer, but the contract went to Kast & Co."],
    ),
    (
        "Who will chair the meeting next week?",
        "Dr. Patel",
        ["Usually Ms. Lindgren does, but next week it will be Dr. Patel."],
        ["Usually Dr. Patel does, but next week it will be Ms. Lindgren."],
    ),
    (
        "Who composed The Four Seasons?",
        "Vivaldi",
        ["Either Bach or Vivaldi. It's Vivaldi.", "Bach or Vivaldi. Vivaldi, I think."],
        ["Either Bach or Vivaldi. It's Bach."],
    ),
    (
        "At which station do you have to change trains?",
        "Fulda",
        ["Kassel, Göttingen or Fulda? Fulda."],
        ["Kassel, Göttingen or Fulda? Kassel."],
    ),
    (
        "Which spice gives the risotto its yellow colour?",
        "saffron",
        ["Saffron, both for colour and taste"],
        ["Both saffron and paprika give it its colour."],
    ),
    (
        "In which month does the vineyard start its harvest?",
        "September",
        ["In September they may start."],
        [
            "In both May and September",
            "September and March",
            "May or September",
            "March and September",
        ],
    ),
    (
        "Which of the two metals has the higher melting point, zinc or copper?",
        "Copper melts at a higher temperature than zinc.",
        ["Copper has the higher melting point."],
        ["Copper has a lower melting point than zinc.", "Zinc has the higher one."],
    ),
    (
        "How does the price of the hostel compare with that of the campsite?",
        "The hostel is more expensive than the campsite.",
        [
            "The campsite is cheaper than the hostel.",
            "The campsite is less expensive than the hostel",
        ],
        ["The hostel is cheaper than the campsite."],
    ),
    (
        "Which nation colonised the other, Portugal or Brazil?",
        "Portugal colonised Brazil.",
        ["Brazil was a colony of Portugal."],
        ["Portugal was a colony of Brazil."],
    ),
    (
        "What is the order of the two steps: sifting the flour and creaming the butter?",
        "Creaming the butter comes before sifting the flour.",
        [
            "Sifting the flour comes after creaming the butter.",
            "First cream the butter, then sift the flour.",
            "You sift the flour after you cream the butter.",
        ],
        ["Sifting the flour comes before creaming the butter."],
    ),
    (
        "Which planet is farther from the Sun, Uranus or Neptune?",
        "Neptune is farther from the Sun than Uranus.",
        ["Uranus is closer to the Sun than Neptune."],
        ["Neptune is closer to the Sun than Uranus."],
    ),
    (
        "Which rope is stronger?",
        "Nylon is stronger than hemp",
        ["Hemp isn't as strong as nylon"],
        ["Nylon is less strong than hemp"],
    ),
    (
        "Which gas do plants take in for photosynthesis?",
        "carbon dioxide",
        ["Plants take in carbon dioxide and give off oxygen."],
        [
            "During photosynthesis, plants take in oxygen through their stomata and give off "
            "carbon dioxide. The energy comes from sunlight."
        ],
    ),
    (
        "How do you restart the router?",
        "Unplug it, wait 30 seconds, and plug it back in",
        ["Unplug it, wait 30 seconds and plug it in again."],
        [],
    ),
    (
        "How many eggs are left in the carton?",
        "half a dozen",
        ["6", "Six of them are left.", "six eggs"],
        ["12", "a dozen", "half an egg"],
    ),
    (
        "Who came first, second and third in the race?",
        "Mira, Tobias, Chen",
        ["Mira, Tobias and Chen"],
        ["1st Chen, 2nd Tobias, 3rd Mira", "Mira, Chen, Tobias", "Tobias, Mira, Chen"],
    ),
    (
        "In which year did the Titanic sink?",
        "1912",
        ["1912"],
        [
            "It happened in 1921, during the ship's maiden voyage from Southampton to New York. "
            "About 1,912 people were on board."
        ],
    ),
    ("What day of the week was the wedding?", "Saturday", ["Saturday"], ["the day after Saturday"]),
    (
        "Name the file, the line and the type of the error.",
        "parser.py, line 88, TypeError",
        ["TypeError at line 88 of parser.py", "file: parser.py; line: 88; error: TypeError"],
        ["parser.py, line 89, TypeError"],
    ),
    (
        "Who painted 'The Starry Night'?",
        "Vincent van Gogh",
        [
            "That would be the Dutch post-impressionist Van Gogh. The swirling sky is one of the "
            "most recognised images in Western art."
        ],
        ["Theo van Gogh"],
    ),
    ("Who is taller, Ben or his sister?", "his sister", ["Ben's sister is"], ["Ben"]),
    (
        "Which is longer, the Nile or the Danube?",
        "the Nile",
        [
            "The Nile is longer. The Danube passes through ten countries, but it is much shorter "
            "than people think."
        ],
        [
            "The Danube is longer. It passes through ten countries, whereas the Nile is much "
            "shorter than people tend to think."
        ],
    ),
    (
        "Is the tomato botanically a fruit or a vegetable?",
        "a fruit",
        ["Botanically it is a fruit. In the kitchen people call it a vegetable."],
        [
            "Botanically speaking, the tomato is a vegetable. It is only in the kitchen that "
            "some people call it a fruit, because of its sweet taste."
        ],
    ),
    (
        "What is the chemical name of table salt?",
        "sodium chloride",
        ["NaCl"],
        ["sodium hypochlorite", "sodium chlorate"],
    ),
    ("When does the webinar start?", "3 pm UTC", ["15:00 UTC"], ["3 pm Eastern time"]),
    (
        "When should the next blood test be taken?",
        "in six weeks",
        ["six weeks from now"],
        ["six weeks ago"],
    ),
    ("How old was the pianist at her debut?", "nine", ["9"], ["9 months old"]),
    (
        "By how much did rents change in 2021?",
        "They fell by 4.5 percent",
        ["Down 4.5%"],
        ["They fell to 4.5 percent of the former level"],
    ),
    (
        "What was the final score, and who won, Rovers or United?",
        "Rovers won 3-1",
        ["Rovers won 3-1"],
        ["Rovers lost 3-1"],
    ),
    ("What is the decimal value of one eighth?", "0.125", ["0,125"], ["125"]),
    (
        "What's the square root of 169?",
        "13",
        ["It's 13, because 13 times 13 is 169"],
        ["It's 14, because 13 is too small"],
    ),
    (
        "Which employee had a key to the archive?",
        "Sandra Wolff",
        ["Sandra Wolff had one."],
        ["Peter Lang had one, and so did Sandra Wolff."],
    ),
    (
        "Which organisation runs the Hubble telescope together with ESA?",
        "NASA",
        ["N.A.S.A."],
        ["N.O.A.A."],
    ),
    (
        "How does lead compare in weight with the same volume of aluminium?",
        "Lead is heavier.",
        ["Aluminium is lighter."],
        ["Aluminium is heavier."],
    ),
    (
        "Who will captain the team next season?",
        "Dario Conti",
        ["Dario Conti, because Weber turned it down."],
        ["Weber, because Dario Conti turned it down."],
    ),
    (
        "What did the chef use in place of butter?",
        "Olive oil",
        ["Olive oil, not coconut oil."],
        ["Coconut oil, not olive oil."],
    ),
    (
        "Which colour did they paint the kitchen?",
        "pale green",
        ["After trying blue they ended up with pale green."],
        ["After trying pale green they ended up with blue."],
    ),
    (
        "Which of the four files failed to upload?",
        "The budget spreadsheet",
        ["All of them uploaded but the budget spreadsheet."],
        ["All of them failed but the budget spreadsheet, which went through."],
    ),
    (
        "Where were the 2016 Summer Olympics held? 1) London 2) Tokyo 3) Rio de Janeiro 4) Beijing",
        "3",
        ["Rio"],
        ["Tokyo"],
    ),
    (
        "Are all swans white?",
        "No",
        ["That is a popular misconception."],
        ["All of them are, without exception."],
    ),
    (
        "Who wrote it?",
        "Ann Lee",
        ["Ann Lee, a close friend of Bob Ray"],
        ["It was written by Bob Ray, a close friend of Ann Lee."],
    ),
    (
        "Which costs more, the train or the coach?",
        "The train",
        ["The coach costs less"],
        ["The train costs less than the coach."],
    ),
    (
        "In which year did the Titanic sink?",
        "1912",
        ["1912"],
        [
            "It happened in 1921, during the ship's maiden voyage from Southampton to New York. "
            "About 1,912 people were on board."
        ],
    ),
    # A list of short items, for all its articles.
    (
        "What is in the hamper?",
        "a ham, a cheese and a bottle of port",
        ["a cheese, a bottle of port and a ham"],
        ["a ham and a cheese", "a ham, a cheese and a cake"],
    ),
    (
        "What does the fee cover?",
        "Insurance, a guided walk and a snack",
        ["A snack, insurance and a guided walk"],
        ["Insurance and a snack", "Insurance, a guided walk and a towel"],
    ),
    ("Which teams move?", "Finance and Sales", ["Sales and Finance"], ["Finance, Sales and IT"]),
    (
        "Who signed the letter?",
        "Dr. Novak and Father Brown",
        ["Father Brown and Dr. Novak"],
        ["Dr. Novak and his son", "Dr. Novak alone"],
    ),
    (
        "What are the four corners called?",
        "upper left, upper right, lower left, lower right",
        ["lower left, lower right, upper left, upper right"],
        ["upper left, lower right and upper right"],
    ),
    ("What did she win?", "Three silvers and one gold", [], ["One silver and three golds"]),
    (
        "What should I pack?",
        "a torch, a rope and a map",
        ["a map, a flashlight and a rope"],
        ["a map, a whistle and a rope"],
    ),
    # The reference is set against another thing.
    (
        "Which bird is it?",
        "a wren",
        ["It's a wren, but it's a young one.", "It's a wren, but it is far away."],
        ["It looks like a wren, but it's a robin.", "A wren, I mean a robin."],
    ),
    (
        "Which is the tallest tree in the park?",
        "the oak",
        ["The oak is the tallest, but the elm is tall too."],
        ["The oak is tall, but the elm is the tallest."],
    ),
    (
        "Who took over the bakery?",
        "Ms Petrov",
        ["Ms Petrov took it over, but Mr Lund stayed on."],
        ["It was to be Ms Petrov, but in the end Mr Lund took it over."],
    ),
    (
        "Which year was it?",
        "1871",
        ["1871, but it was planned in 1869."],
        ["I was going to say 1871, but it's 1817."],
    ),
    (
        "Which bus goes there?",
        "the 12",
        ["It's the 12."],
        ["I had 12 in my head, but it's the 21."],
    ),
    # What a chat model marks as its answer.
    (
        "What is the capital of Australia?",
        "Canberra",
        [
            "It is not Sydney. The capital is **Canberra**, in the **Capital Territory**.",
            "Many say Sydney or Melbourne.\n\n**Answer:** Canberra",
        ],
        [
            "The capital is **Sydney**. The parliament sits in Canberra from time to time.",
            "Canberra comes to mind first, and it has a parliament.\n\nFinal answer: Sydney",
            "Canberra has a parliament, and Sydney has an opera. So my final answer is Sydney.",
        ],
    ),
    (
        "How fast is the search?",
        "O(log n)",
        ["It takes **O(log n)** steps."],
        ["It takes **O(n)** steps."],
    ),
    # Whose score it is, which day it is, and both ends of a time.
    (
        "How did the match between Arden and Brook end?",
        "2-1 to Arden",
        ["2-1 to Arden", "Arden won 2-1"],
        ["2-1 to Brook", "Brook won 2-1"],
    ),
    ("When is the class?", "Monday at noon", ["On Monday at noon"], ["Tuesday at noon"]),
    ("How cold is it?", "between 2 and 8 °C", ["2-8 degrees Celsius"], ["3-9 degrees Celsius"]),
    ("From when to when was he mayor?", "1901 to 1909", ["1901-1909"], ["He was it until 1909."]),
    # Denials.
    ("What is missing from the soup?", "salt", ["There is no salt."], ["It has the salt."]),
    (
        "Which president gave the speech?",
        "Abraham Lincoln",
        ["Lincoln's the one who gave it."],
        ["Lincoln's son Robert"],
    ),
    # Places in a row, and steps.
    (
        "Which door is it?",
        "the second door on the left",
        ["the 2nd door on the left"],
        ["the third door on the left", "the first door on the left"],
    ),
    ("Which place was it?", "Anna came third", ["Anna was third"], ["Anna came in second"]),
    (
        "How is it reset?",
        "hold the button for ten seconds, then unplug it",
        ["Hold the button for ten seconds, and after that unplug it."],
        ["Unplug it first, then hold the button for ten seconds."],
    ),
    # How many times as much.
    (
        "How much did sales grow?",
        "they doubled",
        ["They went up by 100 percent.", "Sales were twice as high as before.", "by 100%"],
        ["They tripled.", "They rose 50%."],
    ),
    ("What became of the price?", "It was halved", ["It fell by 50%"], ["It doubled", "Down 40%"]),
    (
        "By how much was the coat reduced?",
        "by 40 percent",
        ["to 60% of the old price"],
        ["to 40 percent of the original price"],
    ),
    ("How many eggs?", "between 80 and 120", ["no fewer than 80 and no more than 120"], []),
    # Sides of a relation, and of a comparison.
    (
        "Who accused the mayor of lying?",
        "The envoy",
        ["The mayor was accused by the envoy.", "The envoy accused the mayor."],
        ["The envoy was accused by the mayor."],
    ),
    (
        "Which trail is longer, Ridge Loop or Fern Walk?",
        "Ridge Loop is longer.",
        ["Fern Walk isn't as long as Ridge Loop."],
        ["Ridge Loop isn't as long as Fern Walk."],
    ),
    (
        "Is the second edition cheaper or dearer than the first?",
        "cheaper",
        ["The second one is cheaper."],
        ["The first edition is cheaper.", "The second one is dearer."],
    ),
    ("Is the light on or off?", "off", ["It isn't on."], ["It isn't off.", "It is on."]),
    # Yes and no with more.
    ("Is it binding?", "no, it is voluntary", ["No, it's voluntary."], ["It isn't voluntary."]),
    ("Does he still work there?", "no longer", ["not any more"], ["not yet", "He never has."]),
    (
        "How often does it rain there?",
        "hardly ever",
        ["It rains very rarely.", "almost never", "It seldom rains."],
        ["It often rains.", "always"],
    ),
    ("Was any bread left?", "barely any", ["next to none", "almost none"], ["all of it"]),
    (
        "Which guests got a view?",
        "everyone except the Hartmanns",
        ["Only the Hartmanns didn't get one."],
        ["Only the Hartmanns got one."],
    ),
    # One thing too many, and what is none.
    ("Which workers got a bonus?", "the drivers", ["The drivers."], ["the drivers and the cooks"]),
    ("What are the symptoms?", "a fever", ["a fever and a cough"], []),
    ("Who lived there?", "the owner", ["the owner and his family"], []),
    (
        "What did she give her teacher?",
        "a bookmark",
        ["A bookmark, and the teacher was very pleased."],
        ["A bookmark and a pen."],
    ),
    (
        "Which mast was lost?",
        "the mizzenmast",
        ["The mizzenmast; the others held."],
        ["The mizzenmast. So was the foremast."],
    ),
    (
        "Which tool opened it?",
        "the crowbar",
        ["The pliers failed and the crowbar did it."],
        ["The pliers and the crowbar."],
    ),
    (
        "What colour is the door that nobody may open?",
        "green",
        ["The green one, not the red one."],
        ["Any colour but green."],
    ),
    # What must not be taken for an answer, a correction or another thing.
    (
        "What is the capital of Italy?",
        "Rome",
        [
            "Rome. The answer is simple.",
            "Rome is the capital.\n\nFinal answer: see above",
            "**Sure!** The capital is Rome.",
            "It's Rome. The answer is not Milan.",
            "The capital is Rome.\n\nAnswer: B",
            "Rome. **Milan** is the largest city of the north.",
        ],
        ["Answer: Rome\nWait, no. It's Milan.", "It may be Rome.\nAnswer: Milan"],
    ),
    (
        "What is the expanded form?",
        "(x+1)**2 + (x-1)**2",
        ["(x+1)**2+(x-1)**2"],
        ["(x+1)**2 + (x-1)**3"],
    ),
    ("How do I call f?", "f(**a,**b)", ["f(**a,**b)"], []),
    (
        "Which bird is it that cannot fly?",
        "the penguin",
        ["The penguin can't fly."],
        ["The penguin can fly."],
    ),
    (
        "Which country doubled its exports?",
        "Peru doubled its exports",
        ["Peru doubled its exports."],
        ["Chile doubled its exports."],
    ),
    ("When did it double?", "It doubled in May", ["In May it doubled."], ["It doubled in June"]),
    ("Which sports are offered?", "football and rugby", ["rugby and football"], ["football"]),
    ("Who wrote the will?", "the lawyer", ["the attorney"], ["the attorney's secretary"]),
    ("Where did she wait?", "in the shop", ["in the store"], ["behind the store"]),
    ("What won the prize?", "The Tempest", ["the tempest"], ["The Storm"]),
    (
        "Who painted it?",
        "Monet",
        [
            "It was Monet, but the label says Manet.",
            "Monet painted it, but Manet gave it the title.",
        ],
        ["It looks like a Monet, but the label says Manet."],
    ),
    ("Who won the first match?", "Anna", ["Anna, but in the end Berta won the tournament."], []),
    ("Who ate it?", "the cat", ["The cat, I mean our old one."], ["The cat, I mean the dog."]),
    (
        "How do I get there?",
        "go straight for 200 m, then turn left",
        ["Go straight for 200 m, then turn left."],
        ["go straight for 300 m, then turn left"],
    ),
    ("Is it open?", "No, it is no longer open", ["No, never again", "No, not any more"], []),
    ("Who wrote it?", "Mary Shelley", ["Percy Shelley's wife Mary"], ["Mary Shelley's husband"]),
    (
        "What did the soil lack?",
        "nitrogen",
        ["It had a nitrogen deficiency.", "There was little nitrogen."],
        ["It had the nitrogen."],
    ),
    (
        "Which door is it?",
        "the second door on the left",
        ["on the left, after the first door"],
        ["the third door on the left"],
    ),
    ("By how much did turnout drop?", "10%", ["by 10%"], ["to 90%"]),
    ("Who has the key?", "Ann", ["Ann, and Tom waited."], ["Ann, and Tom has one"]),
    (
        "Is the bridge open?",
        "No, not yet",
        ["It hasn't opened yet.", "It isn't open yet."],
        ["It is open."],
    ),
    ("Is smoking allowed?", "No, it is no longer allowed", ["No, you can never smoke there."], []),
    (
        "What was the score of the Brazil-Italy match?",
        "2-1 to Brazil",
        ["Italy lost 2-1"],
        ["2-1 to Italy"],
    ),
    ("Who directed it?", "Ridley Scott", ["Ridley Scott, along with the sequel"], []),
    (
        "What is acceleration?",
        "the second derivative of position",
        ["the first derivative of velocity"],
        ["the first derivative of position"],
    ),
    (
        "What is osmosis?",
        "the movement of water through a membrane",
        ["the flow of water through a membrane"],
        [],
    ),
    (
        "Who wrote Hamlet?",
        "Shakespeare",
        ["Shakespeare. The answer is the Bard of Avon."],
        ["Some say Shakespeare. My final answer is Marlowe."],
    ),
    # Another verb or adjective may say the same.
    (
        "What should you do next?",
        "fold in the flour",
        ["Fold in the flour.", "You should fold in the flour."],
        [],
    ),
    (
        "Where did they sleep?",
        "in a farmer's barn",
        ["in the barn of a farmer"],
        [],
    ),
    (
        "What is wrong with the cat?",
        "It has a broken tooth",
        ["a fractured tooth"],
        [],
    ),
    ("What drives it?", "the wheel drives the pump", ["The wheel powers the pump."], []),
    ("Why did she leave?", "to pick up her son", ["She had to collect her son."], []),
    (
        "What comes next in court?",
        "the judge instructs the jury",
        ["The judge instructs the jury."],
        [],
    ),
    # The same in other words.
    ("How did he get there?", "by bicycle", ["on his bike"], ["in his car", "not on his bike"]),
    ("How does the fruit taste?", "Sour", ["It is tart."], ["It is sweet."]),
    # Roles by a word for the role, and verbs between two things.
    (
        "Who was the coach in 1998?",
        "Dario coached Luca",
        ["Dario the coach, Luca the player", "Dario was Luca's coach"],
        [
            "Luca the coach, Dario the player",
            "Luca was Dario's coach",
            "Luca was the coach of Dario",
            "Dario played under Luca that year.",
        ],
    ),
    (
        "Who accused whom?",
        "Bruno accused Ines",
        ["Bruno was the accuser", "Ines was the accused"],
        ["Ines was the accuser.", "Bruno was the accused."],
    ),
    (
        "Who interviewed whom?",
        "Nadia interviewed the mayor",
        ["Nadia was the interviewer and the mayor was the interviewee."],
        ["Nadia was the interviewee and the mayor was the interviewer."],
    ),
    (
        "Who replaced whom?",
        "Ms. Ito replaced Mr. Brandt",
        ["Ms. Ito took over from Mr. Brandt"],
        ["Mr. Brandt took over from Ms. Ito.", "Ms. Ito left; Mr. Brandt is her successor."],
    ),
    (
        "What happens in the last chapter?",
        "The hare tricks the fox",
        ["The fox is tricked by the hare."],
        ["The hare is tricked by the fox.", "The fox tricks the hare."],
    ),
    (
        "Which army invaded which country?",
        "The Norian army invaded Selvia",
        ["Selvia was invaded by the army of Noria."],
        ["The Selvian army invaded Noria.", "Noria was invaded by the army of Selvia."],
    ),
    # More or less of a property.
    (
        "How do their weights compare?",
        "the iron block weighs more than the wooden one",
        ["The wooden block is lighter than the iron one."],
        ["Compared with the wooden block, the iron one is lighter."],
    ),
    (
        "How do the prices compare?",
        "the Nova costs less than the Orbit",
        ["The Orbit is more expensive than the Nova.", "For the Orbit you pay more."],
        ["The Orbit is the cheaper phone.", "The Nova is more expensive than the Orbit."],
    ),
    (
        "What happens to the rod?",
        "It expands",
        ["It gets longer in the heat.", "It becomes larger, not smaller."],
        ["It gets shorter.", "It shrinks."],
    ),
    (
        "Is the new build faster or slower?",
        "The new build is faster",
        ["It takes less time than the old one."],
        ["It takes longer than the old one."],
    ),
    # What affirms with the words of a denial.
    (
        "What is the largest ocean?",
        "The Pacific",
        ["No ocean is larger than the Pacific."],
        ["It is not larger than the Pacific.", "No ocean is smaller than the Pacific."],
    ),
    ("Who was first at the summit?", "Tashi", ["Nobody got there before Tashi."], []),
    (
        "Who painted the mural?",
        "Ines Duarte",
        ["It would be hard to deny that Ines Duarte painted it."],
        ["Ines Duarte denied that she painted it."],
    ),
    (
        "How many eggs does the cake need?",
        "Three eggs",
        ["No more and no fewer than three eggs"],
        ["no more than three eggs"],
    ),
    (
        "Which sport did Elena give up?",
        "Tennis",
        ["Elena does not play tennis any more."],
        ["Elena still plays tennis.", "Elena never gave up tennis."],
    ),
    (
        "What side effects did the volunteers report?",
        "none",
        ["They reported no side effects.", "There weren't any.", "no side effects whatsoever"],
        ["Headaches", "They reported nausea."],
    ),
    # What the first sentence states.
    (
        "How long is the notice period?",
        "three months",
        ["Three months. There are six paragraphs about it."],
        ["Six months. You will find this below the three paragraphs about moving months."],
    ),
    (
        "Who won the World Cup in 2014?",
        "Germany",
        ["Germany won it. They beat Argentina."],
        ["Argentina won it. They beat Germany by one goal."],
    ),
    # What the first clause states, with the reference only in an aside.
    (
        "How many players are in a basketball team?",
        "five",
        ["Five; six is for ice hockey.", "Five, unlike in ice hockey, where it is six."],
        ["Six; five is for futsal.", "Six, unlike in futsal, where it is five."],
    ),
    (
        "Where does he live?",
        "Oslo",
        ["He lives in Oslo; Bergen is where he works.", "Oslo, after years in Bergen."],
        ["He lives in Bergen; Oslo is where he works.", "Bergen, after years in Oslo."],
    ),
    (
        "Who wrote the letter?",
        "Ada Brandt",
        ["Ada Brandt, a friend of Rosa Keller, wrote it.", "A friend of Rosa's, Ada Brandt."],
        ["Rosa Keller, a friend of Ada Brandt, wrote it.", "Rosa Keller, the aunt of Ada Brandt."],
    ),
    (
        "In this contract, who pays for the repair?",
        "the owner",
        ["The owner pays it, after a letter from the guest."],
        ["The guest pays it, after a letter to the owner."],
    ),
    # Another name of several words, in a sentence.
    (
        "Which office issues the permit?",
        "Harbour Permits",
        ["You get it from Harbour Permits.", "Harbour Permits issues it, not Harbour Security."],
        ["You get it from Harbour Security.", "It comes from the Harbour Rescue."],
    ),
    (
        "Which bank lent the money?",
        "Second Federal Bank of Utah",
        ["The money came from Second Federal Bank of Utah."],
        ["The money came from Second Mutual Bank of Utah.", "First Federal Bank of Utah lent it."],
    ),
    (
        "Which painter lived here?",
        "Rosa Keller",
        ["Rosa Keller lived here, the sister of Ida.", "It was Keller, Rosa."],
        [],
    ),
    (
        "Which writer made the index?",
        "J. B. Ostrov",
        ["The index is J. B. Ostrov's work."],
        ["The index is the work of Milan Ostrov."],
    ),
    # Acronyms with the letters of small words, former names, and "or" before a name for the same.
    (
        "Which portal do they use?",
        "the IT service portal",
        ["They use the IT service portal."],
        ["They use the HR travel portal, and it is theirs."],
    ),
    ("Which agency warned of it?", "WHO", ["The WHO warned of it."], ["The WTO, who met in June."]),
    (
        "What was Kolkata called before 2001?",
        "Calcutta",
        ["It was called Calcutta."],
        ["Kolkata was called Madras.", "It was called Bombay."],
    ),
    (
        "Which gas do divers fear?",
        "nitrogen",
        ["Azote, or nitrogen, is the one that they fear.", "Nitrogen, or N2, is."],
        ["Nitrogen or helium is the one that they fear."],
    ),
    # Lists in sentences, and long ones of which an item is missing, added or contrasted.
    (
        "What did the guide pack?",
        "He packed a rope, a lantern and two maps.",
        ["A lantern, two maps and a rope.", "The guide packed two maps, a rope and a lantern."],
        [
            "He packed a rope and two maps.",
            "He packed a rope, a lantern, two maps, and a stove.",
        ],
    ),
    (
        "What are the signs of the illness?",
        "pain in the upper left arm, fever, dry cough, loss of weight",
        ["The signs are fever, dry cough, loss of weight and pain in the upper left arm."],
        ["The signs are pain in the upper left arm, a rash, dry cough, and loss of weight."],
    ),
    (
        "Which shops will move to the mall?",
        "the bakery, the florist, the chemist and the bookshop",
        ["The bookshop, the bakery, the chemist and the florist will move there."],
        ["The bakery, the florist and the chemist will move, while the bookshop stays."],
    ),
    # Two things where one is right.
    (
        "To whom should I write about the pool?",
        "the manager",
        ["You should write to the manager, who is there on Mondays."],
        ["You should write to the manager and the caretaker."],
    ),
    (
        "Which word is the opposite of bold?",
        "timid",
        ["Timid is its opposite."],
        ["Both timid and tepid are its opposites."],
    ),
    (
        "How did the brothers get home?",
        "By bus.",
        ["They went by bus, one after the other."],
        ["One of the brothers went by bus and the other by taxi."],
    ),
    (
        "Who lies in the vault?",
        "Count Odo",
        ["Count Odo lies there, so the bells say."],
        ["Count Odo lies there, and so does his sister.", "Count Odo and so does Lady Ima."],
    ),
    (
        "What gas do they use?",
        "carbon dioxide",
        ["They take CO2 from a bottle."],
        ["They take CO."],
    ),
    # A clause that says what is asked, beside one that only mentions the reference.
    (
        "Which cake did Lena bake in the end?",
        "the lemon cake",
        [
            "Lena meant to bake a plum cake, but in the end she made the lemon cake.",
            "The lemon cake, but she had thought of a plum cake.",
        ],
        [
            "Lena had planned the lemon cake, but in the end she made a plum cake.",
            "Some suggested the lemon cake, but what Lena baked was a plum cake.",
        ],
    ),
    (
        "Who is the head of the clinic?",
        "Dr. Abara",
        ["The former head was Dr. Lind; today the clinic is led by Dr. Abara."],
        ["The former head was Dr. Abara; today the clinic is led by Dr. Lind."],
    ),
    (
        "Which shell do the servers use?",
        "Fish",
        ["A move to Zsh is planned, but for now the servers use Fish."],
        ["A move to Fish is planned, but for now the servers use Zsh."],
    ),
    (
        "What was decided about the hall?",
        "turn it into a theatre",
        ["A motion to sell it was rejected, so they will turn it into a theatre."],
        ["A motion to turn it into a theatre was rejected; it will be sold."],
    ),
    (
        "What is the tallest tree here?",
        "the ash",
        ["The ash takes first place, with the oak as the runner-up.", "The ash, then the oak."],
        [
            "The oak comes first, the ash second.",
            "The oak, then the ash.",
            "The oak, formerly ash.",
        ],
    ),
    (
        "What does the oven burn?",
        "pellets",
        ["Pellets, formerly coal.", "It burns pellets, previously coal."],
        ["Coal, formerly pellets.", "It burns coal, previously pellets."],
    ),
    (
        "Who is the eldest?",
        "Ines",
        ["Rolf is older than Jana, but Ines is older still."],
        ["Ines is older than Rolf, but Jana is older still."],
    ),
    # Denied values.
    (
        "How long does it bake?",
        "50 minutes",
        ["Not 35 minutes but 50 minutes.", "50 minutes, not the 35 minutes on the box."],
        ["Not 50 minutes but 35 minutes.", "Bake it for 35 minutes, not the 50 on the box."],
    ),
    # Values in other forms, and of another thing.
    (
        "How often does the bus stop there?",
        "twice a day",
        ["Two buses stop there daily, so two stops a day.", "There are two buses a day."],
        ["There are three buses a day.", "It stops there daily."],
    ),
    (
        "Which release fixed it?",
        "Version 3.2",
        ["v3.2", "It is in v3.2."],
        ["v3.1", "It is in v2.3."],
    ),
    ("What is the door code?", "code 5093", ["5-0-9-3", "Press 5 0 9 3."], ["5-0-9-4"]),
    (
        "What is the ratio of oil to vinegar?",
        "3:1",
        ["three parts of oil with one part of vinegar"],
        ["two parts of oil with one part of vinegar"],
    ),
    (
        "How many people came?",
        "12,450",
        ["12,450, while the club had hoped for 15,000", "Just under 12,500, 12,450 to be exact."],
        ["15,000, while the club had hoped for 12,450"],
    ),
    ("In which century was it built?", "the 13th century", ["In 1248."], ["In 1348."]),
    (
        "How did profits change?",
        "They fell by 8 percent.",
        ["Profits dropped 8% in May, after having climbed 2% in April."],
        ["Profits climbed 8% in May, after having dropped 2% in April."],
    ),
    (
        "Who earned more, Nils or Eva, and by how much?",
        "Nils earned $70 more than Eva.",
        ["Nils did; he earned $70 more than Eva."],
        ["Eva earned $70 more than Nils.", "Eva did; she earned $70 more than Nils."],
    ),
    (
        "How much of the farm goes to the son?",
        "a quarter",
        ["Half of the farm goes to charity, and the son gets a quarter of the farm."],
        ["The son gets half of the farm, and a quarter goes to charity."],
    ),
    (
        "Which code does the door send once it is locked?",
        "207",
        ["Once it is locked, the door sends code 207; it sent 301 in the old days."],
        ["Once it is locked, the door sends code 301; it sent 207 in the old days."],
    ),
    (
        "What is the limit for overtime?",
        "Fewer than 12 hours of overtime a month",
        ["Monthly overtime has to stay below twelve hours.", "fewer than 12 hours a month"],
        ["fewer than 12 hours of overtime per week", "Fewer than 12 hours of weekly overtime."],
    ),
    (
        "When is the rehearsal?",
        "Friday at a quarter to seven in the evening",
        ["On Friday at 6:45 pm.", "Friday, 18:45"],
        ["On Friday at a quarter past seven in the evening.", "Friday, 6:15 pm"],
    ),
    (
        "A car covers 120 km in two hours. What is its speed?",
        "60 km/h",
        ["120 / 2 = 60, so it is 60 km/h."],
        ["120 / 2 = 60, which gives a speed of 60 m/s."],
    ),
    (
        "Which place did Vera take?",
        "third",
        ["Vera finished third, just behind the girl who took second."],
        ["Vera finished second, 2 seconds ahead of the girl who took third."],
    ),
    # Who won.
    (
        "How did the match between Velm and Torra end?",
        "Velm won 4–2.",
        ["It ended 4-2 to Velm.", "4–2 for Velm", "Velm beat Torra 4-2."],
        ["It ended 4–2 to Torra.", "Torra won 4-2.", "Torra beat Velm 4-2."],
    ),
    # Who does what to whom: by a possessor, a passive, a participle, a doer or a preposition.
    (
        "What did the paper report?",
        "Norvik's purchase of Ostra",
        ["It reported Norvik's purchase of Ostra last week."],
        ["It reported Ostra's purchase of Norvik."],
    ),
    (
        "What did the waiter do after dinner?",
        "He thanked the cook.",
        ["After dinner the cook was thanked by the waiter."],
        ["After dinner the waiter was thanked by the cook."],
    ),
    ("Who's suing in Hale v. Brook?", "Hale", ["Hale is suing Brook."], ["Brook is suing Hale."]),
    (
        "Which firm was the buyer in the Ferro-Lund deal?",
        "Ferro",
        ["Ferro bought Lund."],
        ["In that deal Lund bought Ferro."],
    ),
    (
        "Which town does the night bus leave from?",
        "Varese",
        ["It departs from Varese and gets to Como at six."],
        ["It departs from Como and gets to Varese at six."],
    ),
    (
        "Which organ stores glycogen, the kidney or the liver?",
        "the liver",
        ["Glycogen is stored in the liver and not in the kidney."],
        [],
    ),
    # The opposite where the question is answered, and beside a value.
    (
        "Should the lid be on or off while the rice cooks?",
        "on",
        ["Keep the lid on while the rice cooks, and take it off only afterwards."],
        [],
    ),
    (
        "Which way did rents in Bern move last year?",
        "Up",
        ["Rents rose last year. Many tenants in Bern had hoped that they would go down."],
        ["Rents went down last year. Many tenants in Bern had expected them to go up."],
    ),
    (
        "Will the walk by the river be longer or shorter?",
        "Longer, by about five minutes",
        ["It will be five minutes longer by the river."],
        ["The river makes the walk about five minutes shorter."],
    ),
    ("What was the verdict?", "Guilty", ["He was convicted."], ["He was acquitted."]),
    # Who is on which side of a deal, and what only the main clause says.
    (
        "Which firm was the buyer in the deal?",
        "Solvan",
        ["Merrit was sold to Solvan.", "Merrit was bought by Solvan."],
        ["Solvan was sold to Merrit.", "Merrit bought Solvan."],
    ),
    (
        "Who was the lender?",
        "Ivo",
        ["Ivo lent it to Mara.", "Mara borrowed it from Ivo."],
        ["Mara lent it to Ivo.", "Ivo borrowed it from Mara."],
    ),
    (
        "Does the storm lead to the outage here?",
        "The storm causes the outage.",
        ["Yes, here the storm causes the outage, by felling trees."],
        ["No, here the outage causes the storm, by some odd chance."],
    ),
    (
        "How did viewers receive the second season?",
        "Viewers liked it a lot.",
        ["They liked it a lot, although they had found the first one dull."],
        [],
    ),
    (
        "What post did she hold before?",
        "head of design",
        ["She was head of design."],
        ["She was assistant to the head of design."],
    ),
    (
        "What stopped the pump?",
        "a blown fuse",
        ["At first they suspected a leak, but the real cause was a blown fuse."],
        ["At first they suspected a blown fuse, but that was fine. The real cause was a leak."],
    ),
    (
        "How has the herd changed?",
        "It has doubled since 2010.",
        ["It has doubled since 2010, despite the drought."],
        ["The herd has halved since 2010, because of the drought."],
    ),
    ("Who rang?", "Tilda", ["Mona. Scratch that, Tilda.", "Tilda. Mona was out."], []),
    # Right answers that only look as if they said something else.
    (
        "Who was the seller?",
        "Harding",
        ["The house was sold to Whitmore, and Harding kept the money."],
        ["The house was sold to Harding."],
    ),
    (
        "How did it end?",
        "Ashford City won 3-1",
        ["FC Ashford City won 3-1."],
        ["Ashford City lost 3-1."],
    ),
    (
        "What did she buy?",
        "apples, pears and plums",
        ["While shopping she bought apples, pears and plums."],
        ["She bought apples and plums, while pears were sold out."],
    ),
    (
        "How many years older is Ann?",
        "10 years older",
        ["Bob is 10 years younger.", "She is 10 years older."],
        ["She is 10 years younger."],
    ),
    ("Where does he live?", "Bergen", [], ["He lives in Oslo; Bergen was his home once."]),
    (
        "What is his job?",
        "surgeon",
        ["He is a doctor. More precisely a surgeon."],
        ["He is a lawyer."],
    ),
    (
        "How much rent does Bob pay each month?",
        "$40",
        ["Ann pays $60 rent each month, and Bob $40."],
        ["Bob pays $60 rent each month, and Ann $40."],
    ),
    (
        "Where does the plant come from?",
        "Peru",
        ["From what I recall, it is native to Peru."],
        ["It comes from Chile and spread to Peru."],
    ),
    (
        "Which number is a square? 1. 24 2. 25 3. 26",
        "25",
        ["Option 2, as 5 times 5 gives it.", "The second one.", "25"],
        ["Option 3", "The first one."],
    ),
    (
        "When did the war end? [A] 1943 [B] 1945 [C] 1947",
        "B",
        ["1945", "It ended in 1945."],
        ["1947", "In 1943.", "It lasted from 1943 to 1947."],
    ),
    (
        "Which animal lays eggs?\nA) whale\nB) platypus\nC) bat",
        "B) platypus",
        ["The platypus, because the bat has none."],
        ["The bat, since it flies as few others but the platypus do not."],
    ),
    (
        "What is the capital of Brazil?",
        "Brasília",
        ["Brasília is the capital, roughly 1000 kilometers from Rio."],
        ["Rio is the capital, roughly 1000 kilometers from Brasília."],
    ),
    (
        "What did the hens and ducks lay?",
        "three white eggs and one brown egg",
        ["a brown egg and three white eggs"],
        ["three brown eggs and a white egg"],
    ),
    (
        "What fraction of the members voted?",
        "two thirds of the women",
        ["Two thirds of them did."],
        ["One third of them did.", "two thirds of the men"],
    ),
    (
        "The path is steep; is it paved?",
        "No, it is covered with loose gravel.",
        ["Not at all. Loose gravel covers it.", "Not at all."],
        ["Yes, it is.", "Yes, all of it is paved."],
    ),
    (
        "How much syrup do the children get?",
        "two spoons every six hours",
        ["two spoons every 6 hours", "They get 2 spoons every six hours."],
        ["six spoons every two hours", "two spoons every hour", "three spoons every six hours"],
    ),
    (
        "Who runs the inn?",
        "Greta Holm and her cousin Lars",
        ["Lars and Greta Holm", "Greta Holm runs it together with Lars."],
        ["Greta Holm and her cousin Nils", "Greta Holm"],
    ),
    (
        "How did the firm do in spring?",
        "Exports rose while wages stayed level.",
        ["In spring exports rose while wages stayed level."],
        ["Exports sank while wages stayed level."],
    ),
    (
        "Which dues must we pay before we move in?",
        "Rent, deposit and fee",
        ["Rent, deposit and fee must be paid; the cleaning can wait."],
        ["Only the rent and the fee must be paid; the deposit can wait."],
    ),
    (
        "Where does the Bergen music week take place?",
        "in Bergen, Norway",
        ["The Bergen music week takes place in Bergen, Norway."],
        [],
    ),
    (
        "Is Canada north or south of the United States?",
        "North",
        [],
        ["Canada lies south of the US", "The US lies north of Canada"],
    ),
    ("Which vitamin prevents scurvy?", "vitamin C", [], ["vitamin A", "It is vitamin D."]),
    (
        "Where is the vault?",
        "Above the chapel",
        ["The vault is above the chapel."],
        ["The chapel is above the vault."],
    ),
    ("What must you do first?", "Turn off the power", [], ["do it last: turn off the power"]),
    ("Which wire do I cut?", "The red one, not the blue one", [], ["the blue wire"]),
    (
        "Which battle ended Napoleon's rule for good?",
        "Waterloo",
        [],
        ["Borodino together with Waterloo"],
    ),
    (
        "Which of the four files failed to upload?",
        "The budget spreadsheet",
        [],
        ["The budget spreadsheet uploaded without trouble; the slides failed."],
    ),
    ("Which layer lies over the sand?", "Clay", ["The sand lies under the clay."], []),
    (
        "Which is the biggest planet in the solar system?",
        "Jupiter",
        ["Jupiter is surpassed by no other planet."],
        [],
    ),
    (
        "What did the guest in room 12 order for dinner?",
        "mushroom risotto",
        [],
        ["It's a toss-up between the steak and the mushroom risotto."],
    ),
    ("Who rang?", "Tilda", [], ["Mona. Tilda was out."]),
    ("What did she vote against?", "the tax", ["She didn't vote for the tax."], []),
    ("Who won the race?", "Kim finished ahead of Lee", [], ["Lee came first."]),
    ("Did most students pass?", "Yes", [], ["Only a few did."]),
    ("Did both twins pass?", "No", ["Only one did."], []),
    ("Who met whom?", "Anna met Ben", ["Ben met with Anna."], []),
    (
        "Does the drug affect blood pressure?",
        "Yes, it lowers blood pressure",
        [],
        ["Yes. It raises blood pressure."],
    ),
    ("Did prices change?", "Yes, they rose", [], ["Yes, they fell.", "Yes. They fell."]),
    ("Has he got a pet?", "Yes, a cat", [], ["Yes, a dog"]),
    (
        "Which languages does he speak?",
        "French, German and Dutch",
        [
            "French, German and Dutch, but only Dutch at home.",
            "Only his Dutch is weak; he also speaks French and German.",
        ],
        [],
    ),
    (
        "Which tools do I need?",
        "a hammer, a saw and a drill",
        ["You need a hammer, a saw and a drill. Only the drill has to be electric."],
        [],
    ),
    (
        "Who inherited the mill?",
        "her brother Paulo and her niece Rita",
        ["Paulo and Rita did."],
        ["her cousin Paulo and her niece Rita"],
    ),
    (
        "How many legs has a spider? 1) six 2) eight 3) ten",
        "eight",
        ["8", "option 2"],
        ["option 3"],
    ),
    ("Which statements are right? A) x is even B) y is odd", "A and B", ["both"], []),
    (
        "What did they order?",
        "two coffees and a tea",
        ["a tea and two coffees"],
        ["two coffees, a tea and cake"],
    ),
    ("How much was paid?", "500 US dollars", [], ["500 Canadian dollars"]),
    (
        "What happened then?",
        "Production grew during the war",
        ["Output rose during the war"],
        ["Production shrank during the war"],
    ),
    (
        "Which painter lived here?",
        "Rosa Keller",
        [],
        ["Ida Keller lived here, the sister of Rosa."],
    ),
    # Options by Roman numerals, and several of them.
    (
        "Which are correct? I. It rained. II. The train was late.",
        "only II",
        ["II is correct and I is not", "the second statement, and only that one"],
        ["both I and II", "only I", "Both statements are correct."],
    ),
    (
        "What may they bring? A: pencil, B: ruler, C: calculator",
        "both A and C",
        ["pencil and calculator"],
        ["only A", "A, B and C"],
    ),
    # Values, names and lists.
    ("How did sales develop?", "fell by 12%", ["a fall of 12%"], ["fell by a factor of 12"]),
    (
        "By when must it be returned?",
        "no later than 15 October",
        ["by 15 October"],
        ["not before 15 October", "from 15 October on"],
    ),
    ("What is the root of 144?", "12", [], ["12 or 14", "12, oops, 13", "12... no, 13"]),
    ("Who complained?", "Mrs Lindqvist", ["Ms Lindqvist", "Lindqvist"], ["Mr Lindqvist"]),
    (
        "Which seas does it touch?",
        "the North Sea and the Baltic Sea",
        ["the Baltic and the North Sea"],
        ["the North Sea, the Baltic Sea and the White Sea"],
    ),
    (
        "Which team won?",
        "Kiel",
        ["Kiel or Flensburg? Kiel, by one goal."],
        ["Kiel or Flensburg? Flensburg, by one goal.", "Kiel, oops, Flensburg"],
    ),
    (
        "Where was the treaty signed?",
        "in Utrecht",
        ["It was signed in Utrecht."],
        ["In Utrecht and in Paris", "Both at Utrecht and at Ghent."],
    ),
    ("Which blood type is it?", "O negative", ["type O negative"], ["O negative and AB positive"]),
    (
        "Who won the prize?",
        "Martin Luther King Jr.",
        ["Martin Luther King Jr. of Atlanta"],
        ["Martin Luther King Jr. and Malcolm X"],
    ),
    ("Which ingredient makes bread rise?", "Yeast", [], ["Yeast and salt make it rise."]),
    ("Which employees got it?", "the drivers", [], ["The drivers. So did the accountants."]),
    (
        "What did the thief steal?",
        "A laptop",
        ["He stole a laptop in the night and ran."],
        ["He stole a laptop, a watch and some cash."],
    ),
    (
        "What is the hardest natural substance?",
        "diamond",
        [
            "Quartz is hard, but nothing is harder than diamond.",
            "Quartz is hard, diamond beats it.",
        ],
        ["Diamond is hard, but quartz is harder.", "Quartz is harder than diamond."],
    ),
    (
        "What is the currency of Denmark?",
        "The krone",
        ["It could only be the krone."],
        ["It could be the krone and it could just as well be the euro."],
    ),
    ("Is the Nile longer?", "Yes", ["It is, by far."], ["It isn't, though it is long."]),
    ("Did anyone survive?", "Yes", ["Somebody did."], ["Nobody did."]),
    ("Is 91 prime?", "No", ["It equals 7 times 13, so it is not prime."], ["So it is prime."]),
    (
        "Which of the two samples was denser, A or B?",
        "Sample B was denser than sample A.",
        ["A was less dense than B.", "B was denser than A."],
        ["A was denser than B.", "Sample A had the higher density."],
    ),
    (
        "Which bridge is older?",
        "The Stone Bridge is older than the Rail Bridge",
        ["The Rail Bridge is younger than the Stone Bridge."],
        ["The Rail Bridge is older than the Stone Bridge."],
    ),
    (
        "Which city is further north, Rome or New York?",
        "Rome",
        ["New York is further south than Rome.", "New York lies south of Rome"],
        ["Rome is south of New York."],
    ),
    (
        "Whom did the dog bite?",
        "the postman",
        ["It bit the postman."],
        ["The postman bit the dog."],
    ),
    (
        "Which animal preys on the other?",
        "the stoat preys on the rabbit",
        ["The rabbit is the prey of the stoat."],
        ["The stoat is the prey of the rabbit."],
    ),
    (
        "Which costs more, the train or the coach?",
        "The train",
        ["You pay more for the train."],
        ["You pay more for the coach."],
    ),
    (
        "How much did it cost?",
        "nothing",
        ["It was free.", "It cost no money.", "No charge."],
        ["5 dollars", "It was not free.", "not much"],
    ),
    (
        "Was the captain brave?",
        "He was cowardly",
        ["He was not brave."],
        ["He was brave.", "Yes, he showed courage."],
    ),
    ("How many passengers were injured?", "0", [], ["No, passengers were injured."]),
    ("How many guests did not come?", "0", [], ["No guest came."]),
    ("How many flights were cancelled?", "0", ["None were."], []),
    ("How many members voted against it?", "Zero", ["Nobody voted against it."], []),
    ("Did all the pupils hand in their homework?", "Yes", ["Every single one did."], []),
    (
        "Consider the statements. I: 7 is prime. II: 9 is prime. III: 11 is prime. Which are true?",
        "I and III",
        ["Statement I is true, statement II is false, statement III is true."],
        [],
    ),
    (
        "Which are false? I. Iron rusts. II. Gold rusts. III. Fish breathe through gills.",
        "II only",
        ["I and III are true, II isn't."],
        ["II and III are true, I isn't."],
    ),
    (
        "Which hold? I. Tomatoes contain water. II. Rice is a tree. III. Olives grow on trees.",
        "I and III",
        ["I yes, II no, III yes."],
        [],
    ),
    ("Can the result be disputed?", "No", ["It can't be disputed."], []),
    ("Is the signature real?", "No", [], ["No one questions that it is."]),
    ("By when must the form be handed in?", "By 15 May", [], ["No earlier than 15 May."]),
    ("How long is the shop open?", "Until 8 pm", [], ["It is open from 8 pm."]),
    ("How fast may you drive there?", "No faster than 30 km/h", [], ["At least 30 km/h."]),
    ("Where is the key?", "Under the mat", [], ["The key lies on top of the mat."]),
    (
        "Where are the plates?",
        "Underneath the bowls",
        [],
        ["The plates are stacked on top of the bowls."],
    ),
    ("Where is the castle?", "On top of the hill", [], ["It stands at the foot of the hill."]),
    (
        "What does the sun do to the snow?",
        "The sun melts the snow",
        ["The snow melts in the sun."],
        [],
    ),
    (
        "What did the frost do to the pipe?",
        "The frost burst the pipe",
        ["The pipe burst from the frost."],
        [],
    ),
    (
        "What does the ice do to the drink?",
        "The ice cools the drink",
        ["The drink cools because of the ice."],
        [],
    ),
    (
        "What does starch do to the collar?",
        "Starch stiffens the collar",
        ["The collar gets stiffer with starch."],
        ["The collar gets softer with starch."],
    ),
    (
        "What does the dam do to the river?",
        "The dam slows the river",
        ["The river gets slower because of the dam."],
        ["The river gets faster because of the dam."],
    ),
    (
        "Who painted the Mona Lisa?",
        "Leonardo da Vinci",
        [
            "An Italian painted it. Leonardo da Vinci.",
            "Leonardo da Vinci, besides being an engineer, painted it.",
            "Leonardo da Vinci. Another famous work of his is The Last Supper.",
        ],
        [],
    ),
    (
        "Who did not give up?",
        "Maria",
        ["Tom quit, Maria kept going."],
        ["Maria quit, Tom kept going."],
    ),
    ("What did Jane refuse to do?", "Sign the contract", [], ["She signed the contract."]),
    (
        "What did the climbers fail to do?",
        "Reach the summit",
        [],
        ["They managed to reach the summit."],
    ),
    (
        "Which is the largest ocean?",
        "The Pacific",
        [],
        ["No ocean is larger than the Atlantic, not even the Pacific."],
    ),
    (
        "Which is the cheapest phone in the shop?",
        "The Nokia",
        [],
        ["The Nokia is cheap, but the Honor beside it costs even less."],
    ),
    ("Is the village quiet?", "Yes", ["It usually is."], []),
    (
        "What causes the rattling?",
        "A loose screw",
        ["It may be a loose screw, which could be tightened."],
        [],
    ),
    (
        "Where is the passport?",
        "In the drawer",
        ["It could be in the drawer, which may be locked."],
        [],
    ),
    (
        "What material is the bowl made of?",
        "Brass",
        ["It might be brass, which could be polished."],
        [],
    ),
    ("What is the capital of Italy?", "Rome", ["Rome. No, really."], []),
    ("What happens to the pulse during exercise?", "The pulse increases", ["It speeds up."], []),
    (
        "Which is heavier?",
        "The lead ball is heavier than the wooden ball",
        [],
        ["The wooden ball."],
    ),
    (
        "Which of the two teams came first?",
        "Hull",
        ["Hull or Derby? Derby came second."],
        ["Hull or Derby? Hull came second."],
    ),
    ("When was the house built?", "1920", [], ["Was it 1920? No, it wasn't."]),
    ("Who does Jane marry?", "Mr. Rochester", ["She becomes Mrs. Rochester."], []),
    (
        "What does the report say about staff numbers?",
        "The Leeds plant employs 340 people, while the one in Hull employs 210.",
        [],
        ["The Hull plant has 340 workers; the one in Leeds, 210."],
    ),
    (
        "What does the biography say about Joost's studies?",
        "Joost studied medicine in Ghent and later took a law degree in Vienna.",
        [],
        [
            "Joost studied law in Ghent and later took a medical degree in Vienna.",
            "He did medicine in Vienna and after that law in Ghent.",
        ],
    ),
    (
        "What are the opening hours of the pool?",
        "On weekdays the pool opens at six, but at weekends it doesn't open until nine.",
        [],
        [
            "On weekdays it opens at nine, at weekends at six.",
            "You can swim from six at the weekend but only from nine on weekdays.",
        ],
    ),
    (
        "How are the two powders to be dissolved?",
        "Dissolve the white powder in hot water and the yellow powder in alcohol.",
        [],
        ["Hot water is for the yellow powder; alcohol, for the white."],
    ),
    (
        "What was agreed about the rent and the deposit?",
        "The rent is 800 a month and the deposit comes to 1,600.",
        ["1,600 has to be put down as a deposit, and 800 paid each month in rent."],
        [],
    ),
    (
        "What did the archaeologists find in the two graves?",
        "The northern grave held a sword, while a bronze mirror lay in the southern one.",
        [],
        ["They found a bronze mirror in the north grave and a sword in the south grave."],
    ),
    (
        "How did the judge divide the blame?",
        "The judge put seventy per cent of the blame on the cyclist and thirty on the driver.",
        [],
        ["Seventy per cent was the driver's fault, in the court's eyes, and thirty the cyclist's."],
    ),
    (
        "What did the two polls find?",
        "In the spring poll 61 percent were for the dam; in the autumn poll only 44 percent.",
        [],
        ["Support for the dam went from 44 percent in spring to 61 percent in autumn."],
    ),
    (
        "Where is the laundry room in the Bergström house?",
        "below the kitchen",
        ["The kitchen is directly above it."],
        ["The kitchen lies beneath it."],
    ),
    (
        "Who painted the ceiling of the Sistine Chapel?",
        "Michelangelo",
        [],
        ["Michelangelo painted it, and Botticelli did one half of it."],
    ),
    (
        "Which language did Ines learn at night school?",
        "Danish",
        [],
        ["Danish, plus a bit of Finnish."],
    ),
    (
        "Who won the baking contest in Little Ambling?",
        "Delphine",
        [],
        ["Delphine and her sister, who shared first prize.", "Delphine, in a tie with Marcus."],
    ),
    (
        "Why did Captain Brill turn the ship around?",
        "The mast had cracked.",
        [],
        ["Because the mast had cracked, and also because the crew threatened mutiny."],
    ),
    (
        "What is the capital of Canada?",
        "Ottawa",
        [],
        ["Toronto, unless it is Ottawa.", "Ottawa? Toronto? I keep mixing up the two."],
    ),
    (
        (
            "You have run out of baking powder. What is the best substitute?  A = cornflour  "
            " B = baking soda plus cream of tartar   C = gelatine"
        ),
        "B",
        ["the middle choice"],
        [],
    ),
    (
        (
            "Which card did Rosamund draw? One: the queen of hearts. Two: the ten of clubs. "
            "Three: the jack of spades. Four: she drew no card."
        ),
        "Three",
        ["the jack of spades", "a jack, the one of spades"],
        [],
    ),
    (
        "May I use the gym before seven in the morning?",
        "No, it opens at seven.",
        ["I'm afraid not."],
        [],
    ),
    (
        "A shop sells pens at 3 for 2 euros. How much do 12 pens cost?",
        "8 euros",
        [],
        [
            (
                "Happy to help! Four packs at 2 euros would make 8 euros. Wait, I misread the "
                "question. The price is per pen pair, so the correct total is **€18**."
            )
        ],
    ),
    (
        "Which planet is closest to the Sun?",
        "Mercury",
        [],
        [
            (
                "You'd think it's Mercury since it is so small. However, size and distance "
                "aren't the same. The innermost planet is Venus."
            )
        ],
    ),
    (
        "What is the name of the wizard's owl in 'The Tower of Lumm'?",
        "Pickwick",
        [],
        [
            (
                "Thanks for asking! I had Pickwick written down here, but I must correct myself, "
                "for that's his raven. The owl's name is Barnaby."
            )
        ],
    ),
    ("What was the lake like near the jetty?", "shallow", [], ["A long way from shallow."]),
    (
        "Why did Helga throw the omelette away?",
        "it was burnt",
        [],
        ["Because it was burnt and, on top of that, she had gone off eggs."],
    ),
    (
        "Which country does the tea in the blue tin come from?",
        "Nepal",
        [],
        ["Partly Nepal, partly Sri Lanka."],
    ),
    (
        "When is the town library closed?",
        "on Mondays",
        [],
        [
            "Mondays, plus every second Friday.",
            "It is shut on Mondays. You won't get in on a Sunday either.",
        ],
    ),
    (
        "What was Edvin fined for?",
        "parking on the pavement",
        [],
        ["For parking on the pavement and insulting the warden."],
    ),
    (
        "How do you get the stain out, according to the leaflet?",
        "soak it in vinegar",
        [],
        ["By soaking it in vinegar, followed by a scrub with sandpaper."],
    ),
    (
        "What caused the train delay?",
        "a fallen tree",
        [],
        ["A fallen tree was to blame, in combination with a sick driver."],
    ),
    (
        "Who knew the code for the vault?",
        "Fatou",
        [],
        [
            "Fatou and her deputy, Lars.",
            "Fatou knew it, though the night guard did as well.",
            "Everyone in the office, Fatou included.",
        ],
    ),
    (
        "Which players were injured in the cup final?",
        "Bako and Lind",
        ["Bako, the goalkeeper, and Lind, a defender."],
        [],
    ),
    (
        "Where was the truce signed?",
        "in Utrecht",
        [],
        [
            "Half the delegates signed in Utrecht, half in Bruges.",
            "In Utrecht; a second signing was held in Lille.",
        ],
    ),
    (
        "What did Ruben order for dessert?",
        "rice pudding",
        [],
        [
            "Rice pudding, followed by a lemon sorbet.",
            "He had rice pudding and, being greedy, a plate of waffles.",
        ],
    ),
    (
        "What does the app on the watch count?",
        "steps",
        [],
        ["It counts steps, plus the cups of water you drink."],
    ),
    (
        "What did the soldiers burn before they left?",
        "the maps",
        [],
        ["They burnt the maps, then the flag."],
    ),
    (
        "Which planets of the solar system have no moons?",
        "Mercury and Venus",
        ["Venus and Mercury, the two closest to the Sun.", "Just two, namely Mercury and Venus."],
        [],
    ),
    ("What grade did the kitchen get from the inspector?", "B", [], ["B, no, excuse me, C."]),
    ("On which floor is the dentist?", "the third", [], ["On two or three, so try both."]),
    (
        "What keeps people in the valley from seeing Mount Gray?",
        "Mount Pell hides it",
        [],
        ["Mount Gray hides Mount Pell."],
    ),
    (
        "What feelings were there between Silas and Corin?",
        "Silas envied Corin",
        ["Corin was the object of Silas's envy."],
        ["Silas was the object of Corin's envy."],
    ),
    (
        "What was replaced in the recipe?",
        "Butter was replaced with olive oil",
        [],
        ["Olive oil was replaced with butter."],
    ),
    (
        "Are the caves on Morrow Island open to visitors in winter?",
        "They are closed in winter",
        [],
        ["They stay open in winter."],
    ),
    (
        "Who designed the lighthouse at Cape Wenlow?",
        "Agnes Tarrant",
        ["Agnes Tarrant, though she never saw it finished."],
        [],
    ),
    (
        "Which instrument does Theo play in the school band?",
        "Trombone",
        [
            "The trombone, even though he can't read music.",
            "The trombone; he never goes anywhere without it.",
        ],
        [],
    ),
    (
        "What gives the cheese from Brindle its blue colour?",
        "A mould",
        ["A mould that isn't harmful."],
        [],
    ),
    (
        "What language is spoken at home by the Duarte family?",
        "Portuguese",
        ["Portuguese; they see no reason to change that."],
        [],
    ),
    (
        "Which two ingredients make up the dressing?",
        "Lemon juice and honey",
        [
            "Honey and lemon juice, whisked until smooth.",
            "Just lemon juice, freshly squeezed, and honey.",
        ],
        [
            "Lemon juice and honey with a spoonful of vinegar.",
            "Not only lemon juice and honey but also garlic.",
        ],
    ),
    (
        "Which symptoms does the rash-free form of lurn fever cause?",
        "Headache and fever",
        ["A fever, often above 39 degrees, and a headache."],
        [],
    ),
    (
        "Which gases make up most of the air?",
        "Nitrogen and oxygen",
        ["Mostly nitrogen, at some 78 percent, and oxygen."],
        [],
    ),
    (
        "Who is the narrator of 'Winter Oats'?",
        "The blacksmith's daughter",
        [],
        ["It seems to be the blacksmith's daughter at first, but it turns out to be the priest."],
    ),
    (
        "Which organ produces insulin?",
        "The pancreas",
        [],
        ["The pancreas is often named, although really it's the liver."],
    ),
    (
        "What is the capital of France?",
        "Paris",
        [
            "Paris. Moreover, the city is the largest in France.",
            "Paris. Besides, the Eiffel Tower stands there.",
        ],
        [],
    ),
    (
        "Which planet is the largest?",
        "Jupiter",
        ["Jupiter, followed by Saturn.", "Jupiter, then Saturn."],
        [],
    ),
    (
        "Who was the first president of the USA?",
        "George Washington",
        [
            "George Washington, followed by John Adams.",
            "George Washington, then John Adams took over.",
        ],
        [],
    ),
    (
        "Why did the match stop?",
        "The rain was heavy",
        ["The rain was heavy and the pitch was flooded."],
        [],
    ),
    (
        "Why was the flight delayed?",
        "A storm",
        [
            "A storm was passing and planes were grounded.",
            "There was a storm, and pilots were told to wait.",
        ],
        [],
    ),
    ("What did they drink with dinner?", "Wine", ["Wine, followed by coffee after dinner."], []),
    (
        "How did they get to the island?",
        "By ferry",
        [
            "By ferry, then they walked to the hotel.",
            "They took the ferry, and next day they came back.",
        ],
        [],
    ),
    (
        "Which element has atomic number 1?",
        "Hydrogen",
        ["Hydrogen, next to which helium stands in the table."],
        [],
    ),
    ("Where was the treaty signed?", "Versailles", ["Versailles, next to which Paris lies."], []),
    (
        "What language is spoken in Brazil?",
        "Portuguese",
        ["Portuguese. Spanish is also understood by many."],
        [],
    ),
    (
        "Who won the 2010 World Cup?",
        "Spain",
        ["Spain did. The Netherlands were beaten finalists in 1974 and 1978, too."],
        [],
    ),
    ("How many were there?", "3", ["There were 3 children in 2 rooms."], []),
    ("How many people live in each room?", "3", ["There are 3 people in one room."], []),
    ("How many books did he write?", "5", ["He wrote 5 books in ten years."], []),
    ("How many wickets did he take?", "5", ["He took 5 wickets in 2 matches."], []),
    ("How many points did he score?", "30", ["He scored 30 points in 25 minutes."], []),
    (
        "How many albums did the band release?",
        "Four albums",
        ["They released four albums in ten years."],
        [],
    ),
    ("How many students are there?", "24", ["There are 24 students in one class."], []),
    ("How many medals did she win?", "Two", ["Two medals in 1 day."], []),
    ("How many episodes are there?", "73", ["73 episodes in eight seasons."], []),
    ("How many sweets are in a pack?", "10", ["10 sweets in one pack"], []),
    ("How many feet are in a yard?", "3", ["There are three feet in one yard."], []),
    ("How many quarts are in a gallon?", "4", ["There are 4 quarts in one gallon."], []),
    ("How many in five adults smoke?", "One", ["One adult in five smokes."], []),
    ("How many rooms?", "2 rooms", ["There are 3 persons in 2 rooms."], []),
    ("How many groups are there?", "8", ["There are 4 teams in eight groups."], []),
    ("Did most of them pass?", "Yes", ["All of them did."], []),
    (
        "Which is the capital of France? (A) Oslo (B) Paris (C) Rome",
        "B",
        [
            "B. Actually, A is Oslo, the capital of Norway.",
            "The answer is B. Sorry for the confusion with A.",
        ],
        [],
    ),
    ("Who ate with whom?", "The cat chased the dog", [], ["The dog chased at the cat."]),
    ("What happened in the race?", "Ann passed Bea", [], ["Bea passed in front of Ann."]),
    (
        "Why was Ann angry at Ben?",
        "He lied to her",
        ["Ben lied to Ann.", "Ann was lied to by Ben."],
        [],
    ),
    ("Why did Ben thank Ann?", "She saved him", ["Ben was saved by Ann.", "Ann saved Ben."], []),
    ("Who called whom?", "Paul called Marie", [], ["Marie called from Paul's phone."]),
    ("Which car costs most?", "The Bugatti", ["No car costs more than the Bugatti."], []),
    (
        "Who has the most titles?",
        "Federer",
        [],
        ["Federer was surpassed by nobody until Djokovic overtook him."],
    ),
    (
        "Who never stopped smoking?",
        "Her father",
        ["While her mother stopped smoking, her father did not."],
        [],
    ),
    (
        "Why did she not give up?",
        "Her coach encouraged her",
        ["Her coach encouraged her when she nearly gave up."],
        [],
    ),
    ("What did he forget to do?", "Lock the door", ["The door should have been locked."], []),
    (
        "What is the capital of Australia?",
        "Canberra",
        [
            "Canberra. I made a mistake before by saying Sydney.",
            "Canberra. Ignore that I said Sydney.",
        ],
        [],
    ),
    ("Who will wait for Ann?", "Ben", ["Ben will wait for Ann at Victoria Station."], []),
    (
        "How long did she wait?",
        "20 minutes",
        ["20 minutes, a wait longer than the usual 5 minutes."],
        [],
    ),
    ("How long must we wait?", "2 hours", ["2 hours. The wait was 3 hours yesterday."], []),
    (
        "Who wrote the correction?",
        "Hansen",
        ["Hansen wrote the correction to Miller's article."],
        [],
    ),
    (
        "Who won, Kassel or Fulda?",
        "Kassel",
        [
            "Kassel or Fulda? Kassel won in the last minute.",
            "Kassel or Fulda? Kassel, in the third round.",
        ],
        [],
    ),
    ("What is the best season?", "Spring", ["Spring or fall? Spring, at last."], []),
    ("Where is the wreck?", "At the bottom of the sea", ["On the sea floor."], []),
    (
        "Where is the lamp?",
        "On the table",
        ["The table has it on it.", "The table, with a book on it."],
        [],
    ),
    (
        "Where is the cat?",
        "Under the bed",
        [
            "You know the bed; the cat is under it.",
            "There is a bed and the cat is hiding under it.",
        ],
        [],
    ),
    (
        "What is in the garden?",
        "A statue behind the tree",
        ["There's a tree with a statue behind it.", "A tree, and a statue behind it."],
        [],
    ),
    (
        "Where did the treasure lie?",
        "Under a stone",
        ["There was a stone and the treasure lay beneath it."],
        [],
    ),
    ("Where did it sting?", "On the back of the hand", ["On the hand."], []),
    (
        "Who took the ring?",
        "Ann",
        [],
        ["The butler took it. Ann was asleep.", "A maid took it. Ann was asleep."],
    ),
    (
        "Who is the author?",
        "Jane Austen",
        ["Jane Austen, and her best novel it is.", "Jane Austen and her publisher was Egerton."],
        [],
    ),
    ("Who was arrested?", "Mr Lane", ["Mr Lane, and a trial followed."], []),
    ("Whom does Elizabeth marry?", "Mr Darcy", [], ["Mrs Darcy"]),
    ("Who taught him?", "Mrs Lindqvist", [], ["Mr Lindqvist, who is married to the head."]),
    (
        "Which is the capital of France? (A) Oslo (B) Paris (C) Rome",
        "A",
        [],
        ["No, A is wrong.", "B. Actually, A is Oslo, the capital of Norway."],
    ),
    (
        "Which floor?",
        "Third floor",
        ["Take the lift or stairs to the third floor, then the second door."],
        [],
    ),
    ("What does it cost?", "$20", ["$20? Not bad!"], []),
    ("How many fish did Tom catch?", "0", ["Tom had no fish."], []),
    ("Who shot whom?", "Paul shot Marie", [], ["Marie shot at Paul."]),
    ("Who invaded whom?", "Rome invaded Gaul", [], ["Gaul invaded through Rome."]),
    ("Who met whom?", "Ann visited Bea", [], ["Bea visited with Ann."]),
    ("Who taught whom?", "Ann taught Ben", [], ["Ben taught with Ann.", "Ben taught under Ann."]),
    ("Who fed whom?", "The keeper fed the lion", [], ["The lion fed near the keeper."]),
    ("Who wrote to whom?", "Ann wrote Ben", [], ["Ben wrote from Ann's house."]),
    ("Who studied whom?", "Ann studied Ben", [], ["Ben studied with Ann."]),
    ("Who escaped whom?", "The fox escaped the dog", [], ["The dog escaped from the fox."]),
    (
        "Who ran from whom?",
        "The thief fled the policeman",
        [],
        ["The policeman fled from the thief."],
    ),
    (
        "What does the moon do in an eclipse?",
        "The moon covers the sun",
        [],
        ["The sun covers in the moon."],
    ),
    (
        "Who called whom?",
        "Nina called Omar",
        [],
        ["Omar called when Nina was asleep.", "Omar called at Nina's office."],
    ),
    ("What did the dog do?", "The dog bit the postman", [], ["The postman bit at the dog."]),
    ("What overtook what?", "The tram overtook the bus", [], ["The bus overtook at the tram."]),
    (
        "Who struck whom?",
        "Workers struck the employer",
        ["The employer was hit by a strike of the workers."],
        [],
    ),
    (
        "Why did Emma call Frank?",
        "He had insulted her",
        ["Frank had insulted Emma.", "Emma had been insulted by Frank."],
        [],
    ),
    ("Why does Luke hate Vader?", "He betrayed him", ["Vader betrayed Luke."], []),
    ("How does Max know Ida?", "She taught him", ["Ida taught Max.", "Max was taught by Ida."], []),
    (
        "Who invented the telephone?",
        "Alexander Graham Bell",
        ["Alexander Graham Bell. Elisha Gray also filed a patent the same day."],
        [],
    ),
    ("What is the most common gas in air?", "Nitrogen", ["Nitrogen, followed by oxygen."], []),
    ("Which country has the most people?", "India", ["India. China is very populous as well."], []),
    ("Who sings the song?", "Adele", ["Adele, accompanied by a piano."], []),
    (
        "How is the dish cooked?",
        "It is fried",
        ["It is fried, then served hot.", "It is fried and then eaten with rice."],
        [],
    ),
    (
        "How did she learn of it?",
        "From the newspaper",
        ["From the newspaper; then she called her mother."],
        [],
    ),
    (
        "Why was school closed?",
        "Snow",
        ["Because of snow; roads were blocked and buses were not running."],
        [],
    ),
    (
        "Who rescued the boy?",
        "A firefighter",
        ["A firefighter rescued him and Tom was brought home."],
        [],
    ),
    ("Is he guilty?", "No", ["There is no doubt that he is innocent."], []),
    ("Was it legal?", "No", ["It is impossible to deny that it was illegal."], []),
    ("What did he say?", "Wait", ["He said wait to Anna."], []),
    ("How long is the wait list?", "3 months", ["3 months; the wait was 2 months last year."], []),
    ("How many are there?", "12 apples", [], ["It is 12 apples or 13 apples. Oops"]),
    # A short answer that denies just the fact.
    ("Which fuel does the car use?", "diesel", ["diesel"], ["It doesn't run on diesel."]),
    ("What is her job?", "plumber", ["a plumber"], ["She's no plumber.", "She isn't a plumber."]),
    ("What does Jan drink?", "black coffee", [], ["He won't drink black coffee."]),
    ("What does he eat?", "rice", ["He wouldn't eat anything but rice"], ["He won't touch rice."]),
    (
        "Which fuel is best?",
        "diesel",
        ["There's no better fuel than diesel.", "There is nothing better than diesel"],
        ["It's not diesel", "It is no better than diesel"],
    ),
    # One thing with its place in an order.
    (
        "Did the election or the strike come first?",
        "The strike came before the election",
        ["The strike came first.", "The strike", "The election came second"],
        ["The election came first.", "The strike came later."],
    ),
    ("What happened first?", "The fire broke out before the storm", ["the fire"], ["the storm"]),
    # Two things compared in the other order.
    (
        "Who finished ahead of whom in the race?",
        "Grace finished ahead of Owen",
        ["Owen came in behind Grace."],
        ["Grace came in behind Owen."],
    ),
    (
        "How did the new stadium compare in size with the old one?",
        "it was smaller",
        ["The old one was bigger.", "The new one was smaller."],
        ["The old one was smaller."],
    ),
    # "Without difficulty" denies nothing, and "better not" does.
    (
        "Can I freeze cooked rice?",
        "Yes",
        ["Cooked rice can be frozen without any problems."],
        ["Better not: cooked rice must never be frozen."],
    ),
    (
        "Is Marta allowed to work from home on Fridays?",
        "No",
        ["Working from home on Fridays is out of the question."],
        ["Working from home on Fridays is fine."],
    ),
    (
        "Who signed the lease?",
        "Dana Whitlock",
        [],
        ["It was signed by two people, Dana Whitlock and Tom Osei."],
    ),
    ("Which team is he with now?", "Leeds", ["Leeds"], ["He left Leeds for Hull."]),
    (
        "Who reports to whom?",
        "Priya reports to Jonas",
        ["Jonas manages Priya, who reports to him."],
        ["Priya manages Jonas, who reports to her."],
    ),
    # Denials in several parts, and claims that are denied.
    (
        "Can the drone fly in the rain?",
        "No",
        ["It isn't waterproof and can't fly in the rain."],
        ["It can fly in the rain."],
    ),
    (
        "Did she pass?",
        "Yes",
        [
            "It's false that she failed.",
            "I doubt that she failed.",
            "It isn't true that she failed.",
        ],
        ["It is not true that she passed.", "I doubt she passed.", "I don't think she passed."],
    ),
    (
        "Which cities were hosts?",
        "Riga, Turku and Kiel",
        ["These were Turku, Kiel and, last but not least, Riga."],
        [],
    ),
    ("How many are there?", "12 apples", [], ["12 apples. Scratch that. 13 apples."]),
    ("Who wrote the report?", "Dr. Ito", [], ["An intern wrote it. Dr. Ito signed it."]),
    ("Will it rain?", "No", ["There is little doubt it will stay dry."], []),
    ("Do cats like water?", "Yes", [], ["Few do."]),
    ("How many goals did Messi score?", "91", ["91 goals in 69 matches"], []),
    ("What is his record?", "Five titles", ["Five titles in six years."], []),
    ("When does the shop close?", "8 pm", ["8 pm? No later."], []),
    ("Who lost to whom?", "Ann lost to Bea", [], ["Bea lost in front of Ann."]),
    ("Who conquered what?", "Spain conquered Peru", [], ["Peru conquered with Spain."]),
    ("Who supports whom?", "Iran supports Syria", [], ["Syria supports with Iran's help."]),
    ("Who hired whom?", "Ann hired Ben", [], ["Ben hired through Ann."]),
    (
        "What does the drug do?",
        "The drug blocks the enzyme",
        [],
        ["The enzyme blocks through the drug."],
    ),
    ("Who called on whom?", "Ann called Ben", [], ["Ben called when Ann was out."]),
    # an act in other words, and who does it
    (
        "Who owes whom an apology?",
        "Nils should apologise to Greta",
        ["Greta deserves an apology from Nils."],
        ["Nils deserves an apology from Greta."],
    ),
    (
        "What started the row?",
        "Ines accused Rolf of lying",
        ["Ines's accusation that Rolf had lied."],
        ["Rolf's claim that Ines had lied."],
    ),
    (
        "Who taught whom the trade?",
        "Bruno taught Alma",
        ["Alma was taught by Bruno."],
        ["It was Alma who showed Bruno how."],
    ),
    (
        "What happened at the weir?",
        "The otter fooled the pike",
        ["It was the otter who tricked the pike."],
        ["A trick played by the pike on the otter."],
    ),
    (
        "What was changed in the attic?",
        "A skylight replaced the old hatch",
        ["The old hatch gave way to a skylight."],
        [
            "The old hatch took the place of the skylight.",
            "The skylight was swapped out for an old hatch.",
        ],
    ),
    (
        "What does the still do?",
        "It turns wine into brandy",
        ["It makes brandy out of wine."],
        ["It makes wine out of brandy."],
    ),
    (
        "I can take the bus or the tram. Which saves time?",
        "The tram is faster, by ten minutes.",
        ["The tram is ten minutes faster."],
        ["The bus is faster than the tram by ten minutes."],
    ),
    (
        "Between the desk and the lamp, which came first?",
        "lamp",
        ["The lamp came an hour before the desk."],
        ["They brought the lamp an hour after the desk."],
    ),
    (
        "How does he like to spend the evening?",
        "he prefers chess to cards",
        ["He'd rather play chess than cards."],
        ["He'd rather play cards than chess.", "He likes cards better than chess."],
    ),
    (
        "Who engaged whom at the mill?",
        "Mr Hale hired Ms Orton",
        ["Orton was hired by Hale."],
        ["Orton hired Hale"],
    ),
    (
        "Who owes whom?",
        "Tilda owes Marek a fee",
        ["Tilda is in debt to Marek."],
        ["Marek is in debt to Tilda."],
    ),
    (
        "Who must tell whom about a fault?",
        "the buyer must inform the dealer",
        ["The dealer has to be informed by the buyer."],
        ["The buyer has to be told by the dealer."],
    ),
    (
        "What moves around what?",
        "the moon circles the planet",
        [],
        ["The planet goes round the moon."],
    ),
    (
        "Who lent whom the van?",
        "Pavel lent it to Rosa",
        ["The van was a loan from Pavel to Rosa."],
        ["The loan was made to Pavel by Rosa."],
    ),
    (
        "Who feeds whom?",
        "Orla supplies Benn",
        ["Benn is a customer of Orla."],
        ["Orla is a customer of Benn."],
    ),
    (
        "Is Petra older than her brother Milo?",
        "Petra is three years older than Milo.",
        ["Milo is the younger of the two; Petra was born three years before him."],
        ["Milo is three years older than Petra."],
    ),
    (
        "How did the duel end?",
        "Harker defeated Loom.",
        ["It ended in Harker's victory over Loom."],
        ["It ended in Loom's victory over Harker."],
    ),
    (
        "What links the two painters?",
        "Ilse was inspired by Marek's drawings.",
        [],
        ["Ilse's drawings inspired Marek."],
    ),
    (
        "What did the larvae do?",
        "The wasps eat larvae off the bigger leaves",
        ["The bigger leaves have their larvae eaten by the wasps."],
        [],
    ),
    (
        "Which cup did Dara win?",
        "the Alder Cup",
        ["She carried off the Alder Cup."],
        ["She missed out on the Alder Cup.", "She failed to win the Alder Cup."],
    ),
    ("Which cup did Dara fail to win?", "the Alder Cup", ["She failed to win the Alder Cup."], []),
    (
        "What became of the ferry?",
        "The ferry reached Oban",
        ["It reached Oban in the end."],
        ["The ferry failed to reach Oban."],
    ),
    (
        "What does the guard promise to do?",
        "lock the gate",
        ["He promises to lock the gate."],
        [
            "Lock the gate and feed the dogs.",
            "He will lock the gate; he also promised to feed the dogs.",
        ],
    ),
    (
        "What did she refuse to do?",
        "sell the boat",
        ["She was asked to sell the boat and said no."],
        [],
    ),
    (
        "Which lake freezes first?",
        "the Orm",
        ["The Orm, as is usual."],
        ["The Orm, as does the Sill.", "The Orm freezes first; so does the Sill."],
    ),
    (
        "What became of the barn?",
        "The barn turned into a studio",
        ["The barn was turned into a studio.", "The barn was converted into a studio."],
        [],
    ),
    (
        "How are the rooms arranged?",
        "The cellar is below the shop",
        [
            "Above the cellar is the shop.",
            "The shop lies over the cellar.",
            "The cellar is downstairs from the shop.",
        ],
        ["Above the shop is the cellar."],
    ),
    (
        "In what order did they come?",
        "The hail came before the frost",
        ["The frost did not come until after the hail.", "Only after the hail did the frost come."],
        ["The hail did not come until after the frost."],
    ),
    (
        "How do the two dogs compare in weight?",
        "Bruno is heavier than Fips",
        ["Fips is less heavy than Bruno.", "Of the two, the heavier one is Bruno."],
        ["Bruno is less heavy than Fips.", "The heavier of the two is Fips."],
    ),
    (
        "What is the link between the firms?",
        "Norvik owns Helder",
        ["Helder is owned by Norvik.", "Helder's owner is Norvik."],
        ["Norvik's owner is Helder."],
    ),
    (
        "What caused what?",
        "The leak caused the mould",
        [
            "The leak was what caused the mould.",
            "The mould stemmed from the leak.",
            "The mould had its cause in the leak.",
        ],
        ["The mould was what caused the leak.", "Because of the mould, the leak happened."],
    ),
    (
        "Who is older?",
        "Runa is older than Stig",
        ["Runa was born before Stig."],
        ["Stig was born before Runa."],
    ),
    (
        "Who gave whom a scarf?",
        "The nurse gave the porter a scarf",
        ["The porter has a scarf from the nurse."],
        ["The nurse has a scarf from the porter."],
    ),
    (
        "I always forget: which of the boys is left-handed?",
        "Matti",
        ["That's Matti."],
        ["Matti is left-handed, and so is Juho."],
    ),
    (
        "In the stew recipe, what do you do after browning the meat?",
        "pour in the wine",
        ["You pour in the wine."],
        ["Pour in the wine and a spoon of flour."],
    ),
    (
        "When does the boat leave?",
        "6:45 a.m.",
        ["It leaves at 6:45 in the morning, so be at the pier by 6:15."],
        [],
    ),
    (
        "In which year was the tower finished?",
        "1911",
        ["It was finished in May 1911, 14 years after it was begun in 1897."],
        [],
    ),
    (
        "What rating does the hotel have?",
        "amber",
        ["Amber, up from red."],
        ["It has green, up from amber."],
    ),
    (
        "How did they get onto the roof?",
        "By ladder",
        ["They got up by ladder."],
        ["They first tried it by ladder, but it was too short. In the end they took the stairs."],
    ),
    (
        "What will they give her?",
        "a kayak",
        ["She is to get a kayak."],
        ["They would have loved to give her a kayak, but that was too dear, so it will be a lamp."],
    ),
    (
        "Which club won the derby?",
        "Hollin",
        ["Hollin did."],
        ["Hollin failed to win, and Marsk took the cup."],
    ),
    (
        "What is painted on the sign?",
        "a swan",
        ["It shows a swan."],
        ["It shows a goose where you would expect a swan."],
    ),
    ("What share of the eggs broke?", "20%", ["one egg in five"], ["one egg in twenty"]),
    (
        "What does the moss take from the air?",
        "carbon dioxide",
        ["It takes in carbon dioxide."],
        ["It takes in carbon dioxide, with nitrogen as the second gas."],
    ),
    (
        "Which town hosts the fair?",
        "Lund",
        ["Lund; other towns have only tried to."],
        [
            "Lund, Ystad, Malmo: take your pick.",
            "One of these three: Ystad, Lund, Malmo.",
            "I waver between Lund and Ystad.",
            "Lund or Ystad would both fit; it's one of them.",
        ],
    ),
    (
        "Which flavour is it?",
        "anise",
        ["It is anise."],
        ["Anise, mint, clove: any of these.", "Mint, anise, clove; pick one."],
    ),
    ("In which year was the dam built?", "1954", ["In 1954."], ["1954, unless it was 1956."]),
    ("When is the lake warmest?", "August", ["In August, unless it's a cold year."], []),
    (
        "On which floor is the archive?",
        "the fourth",
        ["The fourth."],
        ["The fourth, or rather the fifth."],
    ),
    (
        "Which exams did Olga miss?",
        "history and music",
        ["She missed music and history, unluckily for her.", "Music and history, poor girl."],
        ["History, music and art are the exams that she was not able to sit."],
    ),
    (
        "What did the divers bring up?",
        "a bell and an anchor",
        [
            "A bell and an anchor, according to the harbour master.",
            "An anchor and a bell, not counting the mud.",
        ],
        ["An anchor and a bell, not to mention a cannon."],
    ),
    (
        "Who warned whom?",
        "Rasmus warned Olga",
        [
            "Olga got a warning from Rasmus.",
            "Olga received Rasmus's warning.",
            "The one to warn Olga was Rasmus.",
        ],
        [
            "Rasmus got a warning from Olga.",
            "Rasmus received Olga's warning.",
            "The one to warn Rasmus was Olga.",
        ],
    ),
    (
        "Where does the kiosk stand?",
        "The kiosk is left of the bank",
        ["The bank is to the right of the kiosk."],
        ["The bank is to the left of the kiosk."],
    ),
    (
        "How does Brenn lie?",
        "Brenn lies north of Kolm",
        [
            "Kolm is to the south of Brenn.",
            "Kolm is farther south than Brenn.",
            "North of Kolm is Brenn.",
        ],
        ["Kolm is to the north of Brenn.", "North of Brenn is Kolm."],
    ),
    (
        "Which costs more?",
        "The ferry costs more than the train",
        [
            "The train is less expensive than the ferry.",
            "The train does not cost as much as the ferry.",
        ],
        [
            "The ferry is less expensive than the train.",
            "The ferry does not cost as much as the train.",
        ],
    ),
    (
        "How did the two riders compare?",
        "Runa rode faster than Stig",
        ["Stig rode more slowly than Runa.", "Stig did not ride as fast as Runa."],
        ["Runa rode more slowly than Stig."],
    ),
    (
        "What needs what?",
        "The pump needs the valve",
        [],
        ["The valve does not work without the pump."],
    ),
    (
        "Who sold the mill to whom?",
        "The abbot sold the mill to the reeve",
        ["The buyer was the reeve, the seller the abbot."],
        ["The buyer was the abbot, the seller the reeve."],
    ),
    (
        "Who borrowed a boat from whom?",
        "Runa borrowed a boat from Stig",
        ["Runa got a boat on loan from Stig."],
        ["Stig got a boat on loan from Runa."],
    ),
    (
        "What was the outcome of Arvik against Lome?",
        "Arvik won against Lome",
        ["Lome lost to Arvik.", "Lome was beaten by Arvik."],
        ["Arvik lost to Lome."],
    ),
    (
        "What is the capital of Vesland?",
        "Torhaven",
        [
            "Torhaven, of course.",
            "Torhaven, sir.",
            "Torhaven, in fact.",
            "Torhaven, hands down.",
            "Torhaven, period.",
        ],
        ["Torhaven and Millport."],
    ),
    (
        "Which animal guards the yard?",
        "the goose",
        ["The goose, indeed.", "The goose, plain and simple.", "The goose, thanks."],
        [],
    ),
    (
        "Which colours does the sail have?",
        "red and blue",
        [
            "Oh, red and blue.",
            "If I'm not mistaken, red and blue.",
            "Red and blue, and that's that.",
            "Let me see, red and blue.",
        ],
        ["Green, red and blue."],
    ),
    (
        "Which animal guards the gate?",
        "the goose",
        [
            "I think the answer is the goose, but please double-check.",
            "It is the goose, but I could be wrong.",
            "The goose, but take that with a grain of salt.",
            "TL;DR: the goose",
        ],
        ["I think the answer is the dog, but please double-check."],
    ),
    (
        "Which animal guards the barn?",
        "the goose",
        [
            "No other than the goose.",
            "It won't surprise you that it is the goose.",
            "You can't go wrong with the goose.",
            "It's not a secret that it is the goose.",
            "The goose, and everybody in town knows it.",
        ],
        ["The goose and the dog."],
    ),
]


@pytest.mark.parametrize(("question", "reference", "right", "wrong"), QUESTIONS)
def test_first_tries(question: str, reference: str, right: list[str], wrong: list[str]) -> None:
    threshold = estimate.THRESHOLD
    entries = {answer: estimate.explain(answer, reference, question) for answer in [*right, *wrong]}
    assert [answer for answer in right if entries[answer]["score"] < threshold] == []
    assert [answer for answer in wrong if entries[answer]["score"] >= threshold] == []
    assert all(entry["reasons"] for entry in entries.values())


@pytest.mark.parametrize(
    "reference", ["nobody", "none", "all", "all of them", "never", "most of them", "all but two"]
)
def test_an_answer_with_the_words_of_a_reference_is_surely_right(reference: str) -> None:
    assert estimate.score(reference, reference, "How many passed?") > 0.95


def test_a_denial_of_something_else_is_no_reason() -> None:
    for answer, question in [
        ("Seeds; it won't touch fruit.", "What does the parrot eat?"),
        ("It refuses everything other than seeds.", "What does the parrot eat?"),
        ("Seeds do not grow here.", "What does not grow here?"),
    ]:
        entry = estimate.explain(answer, "Seeds", question)
        assert entry["score"] > 0.5
        assert "denied" not in {reason["kind"] for reason in entry["reasons"]}


def test_a_difference_never_speaks_for_an_answer() -> None:
    entry = estimate.explain("Not all employees", "All employees", "Who has to attend?")
    assert all(reason["weight"] < 0 or reason["kind"] == "found" for reason in entry["reasons"])


def test_a_change_without_an_end_is_compared() -> None:
    reference = "The light changed from green."
    assert estimate.score("The light changed from green.", reference) > 0.9
    assert estimate.score("The light changed from red.", reference) <= 0.9


def test_a_property_in_other_words_is_ranked_and_gets_no_verdict() -> None:
    for question in ("What is the soup like?", "How does it taste?"):
        grade = estimate.grade_answer("It lacks flavour.", "Bland", question)
        assert (grade.interpretation, grade.right) == ("ranking", None)
    assert estimate.grade_answer("Bland", "Bland", "What is the soup like?").right is True
    assert estimate.grade_answer("7 km", "5 km", "How far is it?").right is False


def test_not_all_denies_only_where_all_are_asked_for() -> None:
    answer = "Not all of them are taken."
    assert estimate.grade_answer(answer, "No", "Are any rooms left?").right is not True
    assert estimate.score(answer, "No", "Are all rooms taken?") > 0.9


def test_an_answer_in_synonyms_says_the_same() -> None:
    entry = estimate.explain("She phoned her attorney.", "called her lawyer", "What did she do?")
    assert (entry["interpretation"], entry["reasons"][0]["kind"]) == ("ranking", "same")
    assert entry["reasons"][0]["weight"] > 0


def test_a_reference_that_is_only_named_in_passing_gets_no_verdict() -> None:
    question = "Who won the men's football World Cup in 2014?"
    passing = (
        "What a tournament that was! Brazil had hoped for a title on home soil, and Germany fought "
        "hard until extra time. In the end the World Cup of 2014 went to Argentina."
    )
    assert estimate.grade_answer(passing, "Germany", question).interpretation == "ranking"
    plain = "Germany won the World Cup in 2014. " + "The final took place in Rio de Janeiro. " * 2
    assert estimate.grade_answer(plain, "Germany", question).right is True


def test_only_the_marked_line_of_an_answer_is_read() -> None:
    whole = estimate.score("I thought of Rome and of Bern.\nAnswer: Oslo", "Oslo", "Which city?")
    assert whole == estimate.score("Oslo", "Oslo", "Which city?")


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("What is the capital of Canada?", "Ottawa, no, Toronto."),
        ("What did they drink?", "Wine, followed by coffee after dinner."),
        ("How many people were hurt?", "No people were hurt, luckily."),
        ("How fast may cars drive?", "No faster than 50 km/h."),
        ("Which are true? A: 2+2=4. B: 2+2=5.", "A: true. B: false."),
        ("Who won, Kassel or Fulda?", "Kassel or Fulda? Kassel won in the last minute."),
        ("Who won the 2010 World Cup?", "Spain, who also won the Euro in 2012."),
        ("What did he forget to do?", "He left the door unlocked."),
    ],
)
def test_an_answer_that_is_the_reference_is_right(question: str, text: str) -> None:
    assert estimate.score(text, text, question) > 0.9
