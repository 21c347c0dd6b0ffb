import { globSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { caseCount } from "../../support/cases.ts";
import { hostileLines } from "../../support/hostile-session.ts";
import { faultsIn, pageOf } from "../../support/page.ts";
import { assistant, header, lines, message, user } from "../../support/session-builder.ts";
import { tempDir } from "../../support/temp-dir.ts";

const fixtures = join(import.meta.dirname, "..", "..", "..", "fixtures");
const conversation = join(fixtures, "conversation.jsonl");
const everything = join(fixtures, "pi-1.5.2.jsonl");

test("whatever stands in a session, its page has only our elements, attributes and addresses", async () => {
	const path = join(tempDir(), "hostile.jsonl");
	for (let seed = 0; seed < caseCount(2, 5); seed++) {
		for (const fixture of [conversation, everything]) {
			writeFileSync(path, hostileLines(fixture, "https://attacker.io", seed));
			const page = await pageOf(path);
			expect(faultsIn(page)).toEqual([]);
			expect(page).toContain("&lt;script&gt;document.title=&quot;obeyed&quot;&lt;/script&gt;");
		}
	}
});

test("the pages of all fixtures are sound", async () => {
	let pages = 0;
	for (const name of globSync("*.jsonl", { cwd: fixtures })) {
		const page = await pageOf(join(fixtures, name)).catch(() => undefined);
		if (page === undefined) continue;
		pages++;
		expect([name, faultsIn(page)]).toEqual([name, []]);
	}
	expect(pages).toBeGreaterThan(30);
});

test("the parts of a conversation", async () => {
	const page = await pageOf(conversation);
	expect(page).toContain("<title>Refactor the import parser</title>");
	expect(page).toContain('<th class="right">bytes</th>');
	expect(page).toContain('<span class="t-keyword">export</span>');
	expect(page).toContain('<div class="l add"><span class="n" data-n="6"></span><span class="sign" data-s="+"></span>');
	expect(page).toContain('<span class="verb">edit</span> <span class="arg">src/import/parser.ts</span>');
	expect(page).toMatch(
		/<img alt="image png 24×16" [^>]*width="24" height="16" src="data:image\/png;base64,iVBORw0KGgo/,
	);
	expect(page).toContain('<p class="label">⚑ diagnosis</p>');
	// What only the person who shares it has to know is on no page.
	expect(page).not.toMatch(/Masked|masked|before you share/);
	expect(page).toMatch(/<details class="branch"><summary><span class="verb">⊞<\/span> Then use a regular/);
	expect(page).toContain("The file is damaged in 1 place");
	expect(page).not.toContain("/home/ada");
	// Colors of a program, in the classes of the page.
	expect(page).toMatch(/<span class="[^"]*\bc1\b[^"]*">\s*FAIL/);
});

test("an entry has its id as address; turns are numbered on their branch; a file has its edits", async () => {
	const page = await pageOf(conversation);
	const turns = [...page.matchAll(/<a class="row prompt" href="#(\w+)"><span class="turn-number">(\d+)</g)];
	expect(turns.map(([, , turn]) => turn)).toEqual(["1", "2", "3", "4", "3", "4"]);
	for (const [, id, turn] of turns)
		expect(page).toMatch(
			new RegExp(`<article class="entry prompt" id="${id}">.*?You</span> <span class="facts">turn ${turn}<`),
		);
	const [, path, inner = ""] =
		/<details class="step" id="file:1"><summary><span class="arg">(.*?)<\/span>(.*?)<\/details>/s.exec(page) ?? [];
	expect(path).toBe("src/import/parser.ts");
	expect([...inner.matchAll(/<p class="where"><a href="#(\w+)">(turn \d)/g)].map(([, , turn]) => turn)).toEqual([
		"turn 3",
		"turn 3",
	]);
	expect(inner.match(/<div class="diff">/g)).toHaveLength(2);
	expect(page).toContain('<a class="row" href="#file:1">src/import/parser.ts</a>');
	// The same without the other branches: what is addressed stays.
	const alone = await pageOf(conversation, false);
	for (const [, id] of alone.matchAll(/<article class="entry \w+" id="([^"]+)"/g)) expect(page).toContain(`id="${id}"`);
});

test("ids that no address can have are named by their line", async () => {
	const path = join(tempDir(), "odd.jsonl");
	writeFileSync(path, lines(header(), user("a b", null, 1, "go"), user('"><b>', "a b", 2, "on")));
	const page = await pageOf(path);
	expect([...page.matchAll(/<article [^>]*id="([^"]*)"/g)].map(([, id]) => id)).toEqual(["line:2", "line:3"]);
});

test("a session without a name has a heading that its first prompt does not repeat", async () => {
	const path = join(tempDir(), "unnamed.jsonl");
	writeFileSync(path, lines(header(), user("u", null, 1, "Find out why the import fails")));
	expect(await pageOf(path)).toMatch(/<h1>Session in api, \d+ \w+ \d{4}<\/h1>/);
});

test("why an answer failed stands first, and in the tree, what failed is red", async () => {
	const answer = (more: object) => ({ role: "assistant", content: [{ type: "text", text: "There are 77" }], ...more });
	const call = { type: "toolCall", id: "c", name: "bash", arguments: { command: "grep foo a" } };
	const result = (status: number) => ({
		...{ role: "toolResult", toolCallId: "c", toolName: "bash", isError: true },
		content: [{ type: "text", text: `Command exited with code ${status}` }],
	});
	const path = join(tempDir(), "failed.jsonl");
	writeFileSync(
		path,
		lines(
			header(),
			user("u", null, 1, "go"),
			assistant("a", "u", 2, "", [call]),
			message("r", "a", 3, result(1)),
			assistant("b", "r", 4, "", [call]),
			message("s", "b", 5, result(2)),
			message("x", "s", 6, answer({ stopReason: "error", errorMessage: "terminated" })),
		),
	);
	const page = await pageOf(path);
	expect(page).toMatch(/✗ failed: terminated<\/p><div class="md"[^>]*><p>There are 77/);
	expect(page.match(/<a class="row \w+ failed"/g)).toEqual([
		'<a class="row result failed"',
		'<a class="row answer failed"',
	]);
	expect(page.match(/<details class="step failed"/g)).toHaveLength(1);
	expect(page).toContain('<span class="t-muted">no match</span>');
	expect(page).toContain("2 failed");
});

test("only the branch that goes on, unless all are asked for: the page says what is not in it", async () => {
	const page = await pageOf(conversation, false);
	expect(page).not.toContain("Raise the limit instead.");
	expect(page).toContain('<li class="left-out">⊘ another branch (9 entries) is left out</li>');
	expect(page).toContain('<p class="left-out">⊘ another branch (9 entries) is left out</p>');
	expect(page).toContain("<li>Another branch (9 entries) is left out.</li>");
	expect(await pageOf(conversation)).toContain("Raise the limit instead.");
});
