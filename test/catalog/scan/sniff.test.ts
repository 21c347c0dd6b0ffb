import { expect, test } from "vitest";
import { sniff } from "../../../src/catalog/scan/sniff.ts";
import { NO_TITLE } from "../../../src/store/read/title-facts.ts";

/** Of a session in which the person has written something. */
const TITLED = { ...NO_TITLE, title: "Fix the build", titleRank: 0 };

const ENVELOPE = '{"type":"message","id":"a1b2c3d4","parentId":null,"timestamp":"2026-01-01T00:00:00.000Z","message":';
const user = (end: string) => `${ENVELOPE}{"role":"user","content":[{"type":"text","text":"hi"${end}`;
const assistant = (end: string) => `${ENVELOPE}{"role":"assistant","content":[],"usage":{}${end}`;

/** Ends of messages, and the time that counts; "parse" if the line must be parsed. */
const ENDS: readonly (readonly [line: string, time: number | "parse"])[] = [
	[user('}],"timestamp":1763691237236}}'), 1_763_691_237_236],
	[user('}],"timestamp":0}}'), "parse"],
	[user('}],"timestamp":1763691237}}'), "parse"],
	[user('}],"timestamp":1234567890123456}}'), 1_234_567_890_123_456],
	[user('}],"timestamp":12345678901234567}}'), "parse"],
	[user('}],"timestamp":}}'), "parse"],
	[user('}],"timestamp":-5}}'), "parse"],
	[user('}],"timestamp":1.5}}'), "parse"],
	[user('}],"timestamp":"5"}}'), "parse"],
	[user('}],"other":1,"timestamp":5}}'), "parse"],
	[user(',"timestamp":5}}'), "parse"],
	[user('}],"timestamp":5}'), "parse"],
	[assistant(',"stopReason":"toolUse","timestamp":1763691237236}}'), 1_763_691_237_236],
	[
		assistant(',"stopReason":"stop","timestamp":1763691237236,"responseId":"r\\"1","n":2,"b":true}}'),
		1_763_691_237_236,
	],
	[assistant(`,"stopReason":"${"a".repeat(60)}","timestamp":1763691237236}}`), 1_763_691_237_236],
	[assistant(',"stopReason":"","timestamp":5}}'), "parse"],
	[assistant(',"stopReason":"to_use","timestamp":5}}'), "parse"],
	[assistant(',"stopReason":null,"timestamp":5}}'), "parse"],
	[assistant(',"timestamp":5}}'), "parse"],
	[assistant(',"stopReason":"stop","timestamp":1234567890123456}}'), 1_234_567_890_123_456],
	[assistant(',"stopReason":"stop","timestamp":5,"more":{}}}'), "parse"],
	['{"timestamp":5}}', "parse"],
];

test.each(ENDS)("the time of %s", (line, time) => {
	const before = 'x}],"timestamp":7}}';
	const bytes = Buffer.from(`${before}${line}\n`);
	const sniffed = sniff(bytes, before.length, before.length + line.length, TITLED);
	expect(sniffed).toEqual(time === "parse" ? { kind: "parse" } : { kind: "activity", time });
});

test("a line that is not pi's own order is parsed, and the others count, are skipped, or have the text that is wanted", () => {
	const kindOf = (line: string, title = TITLED) => sniff(Buffer.from(line), 0, line.length, title).kind;
	expect(kindOf(user('}],"timestamp":5}}'), NO_TITLE)).toBe("parse");
	const extension = ENVELOPE.replace("message", "custom_message").replace('"message":', '"content":"x"}');
	expect([kindOf(extension), kindOf(extension, NO_TITLE)]).toEqual(["skip", "parse"]);
	const command = `${ENVELOPE}{"role":"bashExecution","command":"ls"}}`;
	expect([kindOf(command), kindOf(command, NO_TITLE)]).toEqual(["message", "parse"]);
	expect(kindOf(`${ENVELOPE}{"role":"toolResult","content":[]}}`)).toBe("message");
	expect(kindOf(ENVELOPE.replace("message", "label").replace('"message":', '"targetId":"x"}'))).toBe("skip");
	expect(kindOf('{"id":"a","type":"message"}}')).toBe("parse");
});
