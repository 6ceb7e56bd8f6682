"""How rare words are, written by `make estimate` from the answers of evouna_nq.json: change nothing here by hand.

A level, ten times the natural logarithm of all answers to those with a stem, stands before the stems of that level.
"""

RAREST = 9.6
RARITY_TEXT = """
+20 1 +25 plai unit stat +30 2 song season releas 3 not includ +35 new world 4 however film movi time known character
written call seri 5 but year american original won war episod name model +40 languag 2018 used 7 2017 6 show inform
locat plac last game ai india perform 10 found 8 record part john all actor may september countri centuri day british
kingdom book access main role made tv form citi provid president primari +45 north several national march titl south
location take becam king mean america official through singl around typical general real york sung current mani variou
like often voic 2021 star 9 creat love power second government hous named cell man right juli album earli end member
number october june singer system began date chang jame music 12 specific television based indian event start featur
peopl april accord england 19 bodi help term 20 west februari lead english no area life georg team water actress open
home band great produc rock set final ii major januari type work come develop introduc referr stori aired don't held
act against group william back canada law use august common origin river november december line find follow olympic
premier believ best portrai updat declar heart +50 live 2016 16 17 michael vari 15 18 late old super led region total
whit process publish serv california sourc becom later fami 11 them establish red earth order god consider gold i'm
night spanish took 14 china direct long 13 franc popular 2014 central public well french winter east forc land nation
san bowl depend high men blood christma de human universiti young age father word largest allow artist point thoma
built consist appear battl compos exampl island support death germani run version air compani credit girl good mark
robert stand award court make need person 21 championship football small way adapt different get sign australia lord
off originat period union winner international mountain production cover e return son tom 2015 big charl histori now
player c due independenc personal plant ancient b caus jack level novel sea ston individual nba want western angel
down empir parti bill side boy ended given head kill london servic congress famou federal top cast florida littl
present rule washington 1e+06 brother issu mexico mile minister richard video +55 africa another david dr german green
japan park town 26 larg left nfl northern sorri 24 action center chief contain dead hit hold jone prim studio associat
black complet cup deriv throughout 23 civil europ mother natural saint significant 1960 1980 25 constitution exact
light los medal wide 2010 design important leagu mari middl pass peter blue case economic friend involv latest other
refer 22 control couldn't leader m representativ republic responsibl result royal texa u among animat approximat
carolina clos elect phras sing 1984 2019 27 check european paul political queen stephen within 1994 came dragon hill
rang receiv represent walk 100 2000 2002 danc eye fictional johnni local lost modern occur question symbol usual win
columbia data enter fall ocean owned specifical starr 50 food know surfac 28 30 bibl brown defeat development former
francisco full near next popul trad 2005 highest layer remain roman african andrew colleg henri lyric movement r
theori thron traditional train tree vote 2004 along armi babi capital carri greek jackson johnson 1979 additional art
children coast grei justic offic songwriter summer combin determin election go got host itali wall 1998 2001 belief
figur hand idea lake meet organiz requir schedul virginia bank base bone church making network spain still structur
tower women 1970 29 31 animal availabl brain eventual g judg 2020 adopt billi describ energi feet limit living scor
secret stor 2008 2012 2013 appoint bob border coloni fire hall leav martin once protect rate russia sang school
station 2011 futur harri let majoriti never non pennsylvania ray recent ring senat social southern you'r 2007 activiti
ball broadcast georgia legal opera princ relationship research together using 1996 1997 2006 across celebrat cross d
debut flag free golden increas invent j material nativ planet religion spac stev territori varieti woman 1990 amount
bridg christian divid eagl hour justin lee luke match musical scott shap smith died field hope matthew particular
todai +60 branch concept effect everi executiv loui philadelphia roll scen sister tell turn cultur democratic eastern
educ influenc join militari mount muscl polici road said sett suprem temperatur treati went 1939 1966 1971 1973
authoriti beast bond build color disnei dna f governor health key longest lower opinion purpos silver sir standard 0.5
1991 acid averag beauti channel child computer decision diari emperor femal michigan pacific propos regular securiti
sun adventur bay canadian captain counti edward flash fought knowledg measur mid netflix performanc step tradition
1995 andi awai barri basketball bear begin carbon dark division drama dynasti even factor flow going harrison internet
philosopher pictur plan ship 1940 1962 1992 1993 1999 answer born car continu frank hot ice initial jesu keep kelli
list past rose shar site studi templ tournament 1978 1988 anatomi ben certain christopher die elizabeth goal
independent jason kevin la market mass poem product root speed surnam vampir writ 1930 1967 abiliti actual arriv
author bc bell break chicago connect cycl dylan ever function growth molecul program religiou rise upon walter writer
1969 1977 1989 account achiev ad adam chines complex element jr letter nuclear operat oscar save spread sundai wrot 0
1976 1985 birth foreign industri km massachusett practic short victori 1945 1983 2003 2022 activ address announc
articl atlantic attack bird chain commission crown diseas economi environment explor ford inner korea l lion mention
mr occurr respons skin societi statu steel taylor think without 1987 arizona asia associ atom beat board bobbi
business can't co controll cricket cultural dream especial feel founder gas grand grant grow heat joseph maintain
mission multipl ncaa ohio oper oregon oxygen pari press reach reason reveal section similar sound special stadium
transfer transport travel true 1972 annual beautiful boundari citizen construction discoveri hawaii howard ireland
jean matt membran n notabl officer post presidential replac resourc successful test vehicl week wood 1776 1975 assemb
attribut bce code context department discover festival few fight gain lived oklahoma organ pleas ran recogniz regard
revolution scientist senator separat soviet speci surround v 1963 anim beatl coin collection colonial damag director
drink exchang experienc far freedom grac gun identifi jefferson lie lung method monei move offer orang paint pop
position project self shot someon stag street twin vancouver wilson 1965 1968 500 affect again basic castl command
district egg front goe h k kid latin lewi marri nerv note nucleu oz plat potter prevent put stop sugar 1974 ago beginn
claim class classic cut draft faith fund guy heavi houston jersei manchester media mondai much oldest organism
pakistan portion pric promot purchas referenc reserv rome ruler ryan scienc session soil sold tissu witch 1950 1961
1982 agenci bengal bull cash cbs communiti condition dog emma ensur gener hotel hugh invasion jim joint length
management max metal mississippi nevada phoenix princess prior prominent reaction sam scientific seen strip univers
upper wale wild +65 1920 absorb australian below dad daughter desert doubl eric fame holidai interest invad jerri
killer las minimum mom moon owner p properti rich roosevelt santa say steven styl tour valu van 70 boston broadwai
captur challeng champion chemical comic commercial conclud confederat direction dougla electron entir estimat explorer
express franchis glass ground honor intestin johann kansa kilometer kumar look louisiana madison messag mineral month
orlean principl privat rank reduc report shad sport testament tim understand w websit wife worldwid zealand 1901 bbc
belong card ceo cleveland continent crim criminal dioxid dj enzym expand forest himself historical imagin inch mike
mind nbc o observ outsid priz race randi remov runn signal spirit technologi thought trilogi view vocal 1959 1981 1986
agent ann atlanta beach cannot chart chri clark colorado continental dan doctor egypt evil exist extend finullcial
giant girlfriend hors illinoi iron jeff lionel lloyd lynn male maryland matter nepal nutrient pearl physical piec
pyeongchang quick revolutionari russell scotland search seattl select simpl sometim squar subject taken thing tiger
titanic tool vessel wind 2009 abc adult alan alli anthem ape atmospher atomic brought canal ceremoni club council
devic emili face further gave hydrogen italian jimmi knight legend magic meter motor natur philippin pradesh
professional radio read regulat restless robin roger ruled scottish sens sierra size skat speaker strong track user
vietnam watson wizard yard 1952 200 added amendment celebriti cole cook davi deep degr document dress eddi either
engin evolv file gonna gulf hart heaven inspir japanes josh launch least licens machin manag map maximum mrs muhammad
nichola page path peac peak penalti phantom phas pittsburgh polic print provinc reproduction rice robot romantic
shakespear stai uniqu vallei vice 1953 1956 aaron abolish abov advanc alcohol alex antonio appearanc baseball beer
boss brooklyn catholic chapter comedi communic convert cool cost dawn elvi era fast fifa fort gene give guest guitar
hormon indicat instead institut islam jerusalem juan keith labor ladi legislativ mantl murder muslim nominat norman
parker photosynthesi portugal
"""
