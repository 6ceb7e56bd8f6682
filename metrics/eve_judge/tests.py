"""Test cases in the form of evaluate's template; `replies` has the judge's reply to each prompt."""


def make_reply(text: str) -> dict[str, object]:
    """Return a reply with this text."""
    return {
        "choices": [{"message": {"role": "assistant", "content": text}, "finish_reason": "stop"}]
    }


test_cases = [
    {  # two passes, one fail
        "questions": ["How often does Sentinel-2 pass?"] * 3,
        "predictions": ["Every 5 days.", "Every five days, with two satellites.", "Every 16 days."],
        "references": ["Every 5 days."] * 3,
        "replies": [
            make_reply('{"score": 1, "reasoning": "The same."}'),
            make_reply('```json\n{"score": 1, "reasoning": "Adds a correct fact."}\n```'),
            make_reply('The number differs. {"score": "0", "reasoning": "16 contradicts 5."}'),
        ],
        "result": {
            "accuracy": 2 / 3,
            "passed": 2,
            "failed": 1,
            "n_scored": 3,
            "n_failed": 0,
        },
    },
    {  # several references: a pass on any of them counts
        "questions": ["Which band shows vegetation?"],
        "predictions": ["Near infrared."],
        "references": [["Red.", "Near infrared."]],
        "replies": [
            make_reply('{"score": 0, "reasoning": "Not red."}'),
            make_reply('{"score": 1, "reasoning": "The same."}'),
        ],
        "result": {"accuracy": 1.0, "passed": 1, "failed": 0},
    },
    {  # text and thinking around the verdict
        "questions": ["What is LiDAR?"],
        "predictions": ["A camera."],
        "references": ["Ranging with laser pulses."],
        "replies": [
            make_reply(
                '<think>0 or 1?</think>\n{"score": 0, "reasoning": "A camera is not a laser."}'
            )
        ],
        "result": {"accuracy": 0.0, "passed": 0, "failed": 1},
    },
]
