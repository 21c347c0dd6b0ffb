import { Duplex } from "node:stream";
import { expect, test } from "vitest";
import { link, type OpenRequest, readChoice } from "../../extensions/link.ts";
import { clean } from "../../extensions/text.ts";

/** A browser at the other end of a pipe, which writes given texts and keeps what it gets. */
function browser(answer: (request: OpenRequest) => string | undefined = () => undefined) {
	const told: string[] = [];
	const pipe = new Duplex({
		read() {},
		write(chunk, _encoding, done) {
			told.push(String(chunk));
			done();
		},
	});
	return { link: link(pipe, answer), pipe, told, says: (text: string | Buffer) => pipe.push(text) };
}

const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

test("requests are answered one after the other, whatever the pieces they come in", async () => {
	const asked: OpenRequest[] = [];
	const { says, told } = browser((request) => {
		asked.push(request);
		return request.action === "label" ? "no such entry" : undefined;
	});
	const bytes = Buffer.from(
		'{"request":1,"action":"rename","name":"é"}\n{"request":2,"action":"label","entryId":"a","label":null}\n',
	);
	for (const byte of bytes) {
		says(Buffer.from([byte]));
		await nextTurn();
	}
	expect(asked).toMatchObject([{ name: "é" }, { entryId: "a", label: null }]);
	expect(told).toEqual(['{"answer":1}\n', '{"answer":2,"error":"no such entry"}\n']);
});

test("an unknown request is refused, a line that is not a message is ignored", async () => {
	const { says, told, link } = browser(() => {
		throw new Error("nothing was to be done");
	});
	says('{"request":1,"action":"delete"}\n{"request":2,"action":"rename","name":7}\n');
	says('{"request":3,"action":"label","entryId":"a","label":{}}\nhello\n[]\nnull\n7\n{"choice":{"action":"quit"}}\n');
	await nextTurn();
	expect(told.map((line) => JSON.parse(line))).toMatchObject([{ answer: 1 }, { answer: 2 }, { answer: 3 }]);
	expect(told.every((line) => line.includes("error"))).toBe(true);
	expect(link.choice).toBeUndefined();
});

test("the last choice counts; a browser that is gone gets nothing", async () => {
	const { says, told, link, pipe } = browser();
	const choice = { action: "goto", path: "/s.jsonl", entryId: "a" };
	says(`${JSON.stringify({ choice })}\n`);
	await nextTurn();
	expect(link.choice).toEqual(choice);
	pipe.destroy(new Error("gone"));
	await nextTurn();
	link.send({ busy: true, open: { id: "", cwd: "", leaf: null } });
	expect(told).toEqual([]);
});

test.each([
	[
		{ action: "resume", path: "/s", cwd: "/w", entryId: "a", text: "x", more: 1 },
		{ action: "resume", path: "/s", cwd: "/w", entryId: "a", text: "x" },
	],
	[
		{ action: "resume", path: "/s" },
		{ action: "resume", path: "/s", cwd: "" },
	],
	[{ action: "resume" }, undefined],
	[{ action: "goto", path: "/s" }, undefined],
	[{ action: "fork", path: "/s", entryId: "a", position: "after" }, undefined],
	[
		{ action: "fork", path: "/s", entryId: "a", position: "at" },
		{ action: "fork", path: "/s", entryId: "a", position: "at" },
	],
	[{ action: "edit", text: 7 }, undefined],
	[
		{ action: "new", text: "x", path: "/s" },
		{ action: "new", text: "x" },
	],
	[
		{ action: "edit", text: "x" },
		{ action: "edit", text: "x" },
	],
	[
		{ action: "reference", path: "/s", text: "x" },
		{ action: "reference", path: "/s", text: "x" },
	],
	["resume", undefined],
	[null, undefined],
])("the choice %j is read as %j", (said, choice) => {
	expect(readChoice(said)).toEqual(choice);
});

test("a text for the editor keeps its lines, but no control sequences", () => {
	expect(clean("a\tb\r\nc\x1b[2J\x07\x9b31m\u202Ed\u2066é👍🏽")).toBe("a\tb\nc[2J31mdé👍🏽");
});
