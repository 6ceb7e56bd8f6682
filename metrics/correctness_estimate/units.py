"""Units of measure: their dimensions, sizes and spellings, English and Chinese."""

# Each dimension: a unit with how many of the first it is, and its spellings.
UNITS = """
length: 1 m meter metre 米 | 1000 km kilometer kilometre 公里 千米 | 0.01 cm centimeter centimetre 厘米 |
 0.001 mm millimeter millimetre 毫米 | 1609.344 mile mi 英里 | 0.3048 ft foot feet 英尺 | 0.0254 inch inches |
 0.9144 yard yd | 1852 nautical-mile | 9.4607e15 light-year lightyear 光年 | 500 里
mass: 1 g gram 克 | 1000 kg kilogram kilo 公斤 千克 | 0.001 mg milligram | 1e6 ton tonne 吨 | 453.59237 lb |
 28.3495 ounce oz | 500 斤
time: 1 second sec 秒 | 60 minute min 分钟 | 3600 hour hr 小时 | 86400 day 天 日 | 604800 week 周 星期 |
 0.001 ms millisecond
months: 1 month 个月 | 12 year yr 年 岁 | 120 decade | 1200 century centuries
percent: 1 % percent percentage
dollar: 1 $ usd dollar 美元
euro: 1 € eur euro 欧元
sterling: 1 £ gbp
pound: 1 pound 英镑 磅
yen: 1 ¥ yen yuan rmb 元 人民币 日元
rupee: 1 ₹ rs inr rupee
celsius: 1 °c celsius centigrade 摄氏度 ℃
fahrenheit: 1 °f fahrenheit 华氏度 ℉
kelvin: 1 kelvin
degree: 1 ° degree 度
speed: 1 km/h kph kmh 公里每小时 | 1.609344 mph | 3.6 m/s
area: 1 km2 km² sq-km square-kilometer square-kilometre 平方公里 | 2.589988 square-mile sq-mi | 0.01 hectare 公顷 |
 0.00404686 acre | 1e-6 m² square-meter square-metre 平方米
volume: 1 l liter litre 升 | 0.001 ml milliliter millilitre 毫升 | 3.785412 gallon
data: 1 mb megabyte | 1000 gb gigabyte | 1e6 tb terabyte | 0.001 kb kilobyte
power: 1 watt | 1000 kw kilowatt | 1e6 mw megawatt
"""


def units() -> dict[str, tuple[str, float, str]]:
    """Return of each spelling its dimension, how many of the dimension's unit it is, and its usual name."""
    found: dict[str, tuple[str, float, str]] = {}
    for line in UNITS.strip().replace("\n ", " ").splitlines():
        dimension, _, rest = line.partition(": ")
        for entry in rest.split("|"):
            factor, *names = entry.split()
            for name in (name.replace("-", " ") for name in names):
                found |= {form: (dimension, float(factor), names[0]) for form in (name, f"{name}s")}
    return found


UNIT = units()
