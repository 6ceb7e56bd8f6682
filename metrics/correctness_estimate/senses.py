"""What words of many subjects affirm and deny: data alone, no function.

Each line of SENSES has two sides that exclude each other. "*" stands for any ending, "_" for a space
or up to two words, as in "turned it down". The lists are chosen here, from everyday English and
Chinese: states, events, likings, permission, need.
"""

SENSES = """
open opens opened reopen* unlocked geöffnet offen abierto | closed closes closing shut shuts locked geschlossen cerrado
alive living survived survive* lived lives | dead died dies death killed perished passed_away deceased didn't_make_it
married marry wed wife husband spouse | single unmarried bachelor divorced widow*
married_to | divorced_from
accept* approve* adopt* pass* agree* ratif* confirm* endorse* welcomed backed green_light waved_through carried |
 reject* refus* declin* den[iy]* turn*_down vote*_down block* veto* disapprov* oppos* scrapped struck_down fell_through
succeed* success* worked triumph* | fail* failure* flop* collapse* broke_down disaster fell_through unsuccessful bomb*
pass passes passed passing | fail* flunk*
win wins won beat victory champion* | lose loses lost losing defeat* runner-up knocked_out eliminated
rise rises rose risen rising increas* grew grow* climb* went_up gone_up up higher surg* soar* jumped gain* |
 fall falls fell fallen falling decreas* declin* drop* shr[aiu]nk* went_down gone_down down lower sank plunge* slump*
 stayed_the_same unchanged stagnat* flat
profit* earned | loss losses lost deficit red
like likes liked love* enjoy* adore* fond keen prefer* fan | hate* dislik* loath* detest* can't_stand despise*
good great excellent fine healthy beneficial helpful useful | bad poor terrible harmful unhealthy awful useless
bad harmful harms damag* unhealthy dangerous hurt* | good harmless healthy beneficial safe fine
safe harmless | unsafe danger* risk* hazard* harmful toxic poison* deadly
poison* toxic venomous deadly | edible harmless non-toxic nontoxic
edible eat eaten | poison* inedible toxic
legal lawful permitted erlaubt gestattet permitido allow* | illegal unlawful verboten untersagt prohibido interdit forbidden banned against_the_law prohibited crime
free gratis complimentary kostenlos gratuit* umsonst no_charge costs_nothing without_paying | pay paid pays charge charged cost costs fee fees bezahlen kostet
available stock left remain* | sold_out unavailable gone out_of_stock booked_up ran_out run_out exhausted
valid force effect | expired invalid lapsed void ended cancelled canceled
active running operat* | inactive extinct dormant defunct disused
mandatory compulsory required require* obligatory must have_to has_to necessary needed need needs |
 optional voluntary unnecessary needless without up_to_you
allow* permit* welcome possible fine accept* ok okay may feel_free encouraged |
 forbid* forbade prohibit* ban bans banned refrain avoid off-limits off_limits impossible unable leave_at_home
include* included part comes_with | exclud* separate* extra left_off left_out without except*
start* begin* began begun | finish* end ended stop* over
finish* complet* done ended over | unfinished ongoing incomplete still_going still_writing still_working
leave leaves left depart* gone | stay stays stayed arrive* remain* still_here still_there
stop stops stopped stopping | nonstop non-stop direct* without_stopping continu*
near close nearby next adjacent beside | far distant remote away
same identical equal equally alike | different differ* unlike distinct
true correct right fact | false wrong untrue myth misconception fiction hoax legend nonsense
fixed resolved solved repaired patched | broken unresolved unfixed still_open persists
guilty convicted admitted pleaded_guilty confess* | innocen* acquitted not_guilty cleared
full packed booked | empty vacant
full-time | part-time
wet rain* snow* pour* drizzl* downpour* | dry sunny sun
cold freezing chilly icy frozen | warm hot mild heat melted thawed
hot warm scorching | cold cool freezing chilly
clean spotless | dirty filthy polluted
easy simple straightforward | hard difficult complicated tough
cheap inexpensive affordable | expensive costly dear pricey
quiet silent | loud noisy
common frequent* widespread | rare rarely uncommon seldom
always constantly daily every_day all_year | rarely seldom never sometimes occasionally
often frequently regularly | rarely seldom hardly never
public | private
open_source open-source source_is_open source_code_is_open | proprietary closed_source closed-source
permanent lasting | temporary
present attended there | absent missing skipped missed
vegetarian vegan | meat
male man boy he | female woman girl
solid | liquid gas*
encrypt* | plain_text unencrypted plaintext
native indigenous | introduced imported foreign
see sees sight | blind
hear hears hearing | deaf
painful pain hurt* | painless
survive* survivor* | died dead killed perished
flat | round sphere spherical globe
confirmed | denied refuted
on_time punctual* | late delay* postpone*
cancel* called_off | went_ahead takes_place took_place goes_ahead
happen* took_place takes_place held | cancel* called_off postpone*
lend lent lends | borrow* returned
remember* | forgot* forget*
awake | asleep sleeping
visible seen see | invisible hidden
damage* harm* destroyed | intact unharmed undamaged spared
mutable change* | immutable
dependent depends | independent
conductor conduct* | insulat*
开门 营业 | 关门 休息 歇业 打烊 停业
成功 | 失败
取消 | 照常 如期 按时 举行了
按时 准时 如期 | 推迟 延期 延误 迟到 取消
盈利 赚 | 亏损 亏
可以 能 允许 准许 行 | 禁止 严禁 不准 不许 不得
免费 | 收费 付费
同意 接受 批准 | 拒绝 反对 否决
通过 | 否决 挂科 没过
活着 在世 | 去世 死 逝世
结婚 已婚 | 单身 未婚 离婚
上涨 涨 上升 | 下跌 跌 下降
喜欢 爱 | 讨厌 恨
安全 | 危险
赢 胜 | 输 败
"""

# Forms of verbs that do not begin as the verb does, but for those of lexicon.IRREGULAR_PAST.
IRREGULAR_FORMS = dict(
    pair.split()
    for pair in (
        "rose rise, risen rise, fell fall, fallen fall, came come, went go, gone go, began begin, begun begin, spoke "
        "speak, spoken speak, drank drink, drunk drink, swam swim, flew fly, flown fly, flight fly, grew grow, grown "
        "grow, lay lie, lost lose, shook shake, stole steal, stolen steal, wore wear, worn wear, hid hide, rode ride, "
        "ridden ride, saw see, seen see, said say, sat sit, stood stand, slept sleep, spent spend, understood "
        "understand, woke wake, bit bite, bitten bite, blew blow, broke break, broken break, dealt deal, did do, "
        "done do, drew draw, drawn draw, dug dig, fed feed, felt feel, fled flee, forgot forget, froze freeze, frozen "
        "freeze, hung hang, heard hear, laid lay, lit light, meant mean, rang ring, sought seek, shone shine, slid "
        "slide, sprang spring, stuck stick, stung sting, swept sweep, swore swear, sworn swear, thought think, bore "
        "bear, born bear, bound bind, bred breed, dreamt dream, learnt learn, burnt burn, spelt spell, met meet, shown "
        "show, beaten beat, got get, had have, has have, lain lie, sank sink, sunk sink, shrank shrink, melted melt, "
        "was be, were be, is be, are be, proven prove, sown sow, sewn sew, torn tear, tore tear, trod tread, lives "
        "live, wives wife, children child, people person, mice mouse, feet foot, teeth tooth, geese goose, found find"
    ).split(", ")
)
