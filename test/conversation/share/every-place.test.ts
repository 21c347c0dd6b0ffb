import { writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import { excerptName } from "../../../src/conversation/markdown/excerpt.ts";
import { shareMarkdown } from "../../../src/conversation/share/share-markdown.ts";
import { readSession } from "../../../src/store/read/read-session.ts";
import { caseCount, FIRST_SEED, inShort } from "../../support/cases.ts";
import { pageWith, sharedOf } from "../../support/page.ts";
import { SECRET_KINDS, type SecretKind } from "../../support/secret-kinds.ts";
import { assistant, header, toolResult, user } from "../../support/session-builder.ts";
import { tempDir } from "../../support/temp-dir.ts";

/** The text of a kind with a value in it. */
function said({ text }: SecretKind, secret: string): string {
	return text.replace("@@", () => secret);
}

/** What a model or a program writes around a text with a secret, by the name of the place. */
const FORMS: Readonly<Record<string, (text: string, secret: string) => string>> = {
	"plain line": (text) => `Set this up:\n${text}\nthen go on.`,
	backticks: (text) => (text.includes("`") ? `Use:\n\`\`\`\n${text}\n\`\`\`\n` : `Set \`${text}\`, please.`),
	bold: (text) => `It is **${text}**, as said.`,
	colors: (text, secret) => `$ env\n\u001b[32m${text.replace(secret, () => `\u001b[1m${secret}\u001b[0m`)}\u001b[0m\n`,
	"before an escape sequence": (text) => `${text}\u001b[0m\u001b[K\r\n`,
	"JSON in JSON": (text) => JSON.stringify({ body: JSON.stringify({ note: `${text}\n` }) }),
	"HTML entities": (text) => `<pre>${text.replace(/&/g, "&amp;").replace(/"/g, "&quot;").replace(/</g, "&lt;")}</pre>`,
};

/** The parts of a secret that tell it, in a text or in a page. */
function tellTales(secret: string): readonly string[] {
	return secret.length < 14 ? [secret] : [secret.slice(0, 200).slice(-12), secret.slice(-12)];
}

/** Those of the parts that are in a text, all looked for at once: there are thousands, and the texts are long. */
function partsIn(text: string, parts: readonly string[]): ReadonlySet<string> {
	const length = Math.min(...parts.map((part) => part.length));
	const byBeginning = Map.groupBy(parts, (part) => part.slice(0, length));
	const found = new Set<string>();
	for (let at = 0; at < text.length; at++)
		for (const part of byBeginning.get(text.slice(at, at + length)) ?? [])
			if (text.startsWith(part, at)) found.add(part);
	return found;
}

test("no kind of secret is seen in any place, in Markdown or in a page", async () => {
	const leaks: string[] = [];
	let planted = 0;
	for (let round = 0; round < caseCount(1); round++) {
		const lines = [header({ cwd: "/srv/app" })];
		const secrets: Array<readonly [kind: SecretKind, place: string, secret: string]> = [];
		let parent: string | null = null;
		let number = 0;
		const add = (make: (id: string, parentId: string | null, minute: number) => string): string => {
			const id = `e${String(number++).padStart(7, "0")}`;
			lines.push(make(id, parent, number));
			parent = id;
			return id;
		};
		for (const [index, kind] of SECRET_KINDS.entries()) {
			const seed = FIRST_SEED + round * 1000 + index;
			const own = fc.sample(kind.secret, { numRuns: Object.keys(FORMS).length, seed });
			// In the test command in a plain line and in every other place; the next kind is in the others.
			for (const [at, [place, form]] of inShort(
				[...Object.entries(FORMS).entries()],
				([at]) => at === 0 || at % 2 === index % 2,
			)) {
				const secret = own[at] ?? "";
				const text = form(said(kind, secret), secret);
				secrets.push([kind, place, secret]);
				if (place === "plain line") add((...where) => user(...where, text));
				else if (place === "JSON in JSON") {
					const call = { type: "toolCall", id: `c${number}`, name: "post", arguments: { body: text, list: [text] } };
					add((...where) => assistant(...where, "Posting", [call]));
				} else if (place === "colors" || place === "before an escape sequence") {
					const call = { type: "toolCall", id: `c${number}`, name: "bash", arguments: { command: "env" } };
					add((...where) => assistant(...where, "", [call]));
					add((...where) => toolResult(...where, text));
				} else add((...where) => assistant(...where, text));
			}
			// What was found once, wherever else it stands: only its value tells it.
			const [first = ""] = own;
			const call = { type: "toolCall", id: `c${number}`, name: "read", arguments: { path: `/srv/app/${first}.txt` } };
			const at = add((...where) => assistant(...where, `| ${first} | is *${first}* |`, [call]));
			lines.push(
				JSON.stringify({
					type: "label",
					id: `l${index}`,
					parentId: at,
					timestamp: "2026-01-05T09:00:00.000Z",
					targetId: at,
					label: `at ${first}`,
				}),
			);
			lines.push(user(`b${index}`, at, number, `${first}: the other branch`));
			for (const place of ["label", "file name", "side bar", "title"]) secrets.push([kind, place, first]);
		}
		for (const [index, [, place, secret]] of secrets.entries()) {
			if (place !== "title") continue;
			lines.push(
				JSON.stringify({
					type: "session_info",
					id: `n${index}`,
					parentId: parent,
					timestamp: "2026-01-05T09:00:00.000Z",
					name: `Use ${secret}`,
				}),
			);
		}
		const path = join(tempDir(), "planted.jsonl");
		writeFileSync(path, `${lines.join("\n")}\n`);
		const session = await readSession(path);
		const prepared = sharedOf(session);
		const page = (await pageWith(prepared)).replace(/&quot;|&#39;|&lt;|&gt;|&amp;/g, (entity) => DECODED[entity] ?? "");
		const texts: Readonly<Record<string, string>> = {
			page,
			"page without tags": page.replace(/<[^<>]*>/g, ""),
			Markdown: [...shareMarkdown(prepared)].join(""),
			"name of the file": excerptName({ of: "branch", entryId: "", title: prepared.title }),
		};
		planted += secrets.length;
		const parts = secrets.flatMap(([, , secret]) => tellTales(secret));
		for (const [where, text] of Object.entries(texts)) {
			const found = partsIn(text, parts);
			for (const [kind, place, secret] of secrets)
				if (tellTales(secret).some((part) => found.has(part)))
					leaks.push(`${kind.name} in ${place}: ${secret} in ${where}`);
		}
	}
	expect(SECRET_KINDS.length).toBeGreaterThanOrEqual(150);
	expect(planted).toBeGreaterThanOrEqual(150 * 8);
	expect([leaks.length, leaks.slice(0, 20)]).toEqual([0, []]);
}, 180_000);

const DECODED: Readonly<Record<string, string>> = {
	"&quot;": '"',
	"&#39;": "'",
	"&lt;": "<",
	"&gt;": ">",
	"&amp;": "&",
};
