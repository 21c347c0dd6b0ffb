import fc from "fast-check";
import { expect, test } from "vitest";
import { SECRET_FORMS } from "../../../src/conversation/share/find-forms.ts";
import { Masker } from "../../../src/conversation/share/masker.ts";
import { LINUX } from "../../../src/shared/system.ts";
import { caseCount, FIRST_SEED, inLong } from "../../support/cases.ts";
import { AROUND, INNOCENT, KEYS, NAMED } from "../../support/planted-secrets.ts";
import { SYSTEMS } from "../../support/systems.ts";

function masked(text: string, homes: readonly string[] = []): string {
	return new Masker({ allowed: new Set(), homes }).mask(text, "e1");
}

test("keys and tokens of the known forms are masked, wherever they stand", () => {
	const missed: string[] = [];
	let planted = 0;
	for (const [name, form] of Object.entries(KEYS)) {
		for (const key of fc.sample(form, { numRuns: caseCount(4, 60), seed: FIRST_SEED })) {
			for (const around of AROUND) {
				planted++;
				const text = masked(around.replace("@", () => key));
				// Nothing of it is left that is longer than its prefix.
				const leaks = key.match(/[A-Za-z0-9+/_-]{12,}/g)?.filter((part) => text.includes(part.slice(-12))) ?? [];
				if (leaks.length > 0) missed.push(`${name} in ${around}: ${text}`);
			}
		}
	}
	expect(planted).toBeGreaterThan(caseCount(650, 10_000));
	expect([missed.length <= planted / 100, missed.slice(0, 10)]).toEqual([true, []]);
});

test.each(NAMED)("masked in %j", (text, secret) => {
	expect(masked(text)).not.toContain(secret);
	expect(masked(text)).not.toBe(text);
});

test.each(INNOCENT)("left as it is: %j", (text) => {
	expect(masked(text)).toBe(text);
});

test("a home directory that is known is masked in all its forms, and nothing that only looks like it", () => {
	const homes = ["/home/ada", "/root"];
	expect(masked("cd /home/ada && ls /root; cat ~/.pi/agent/sessions/--home-ada-work--/x.jsonl", homes)).toBe(
		"cd ~ && ls ~; cat ~/.pi/agent/sessions/~-work--/x.jsonl",
	);
	const others = "/home/adam/x --root /rooted git --root-dir /mnt/root home/adam --home-adam-work--";
	expect(masked(others.replace("/home/adam/x ", ""), homes)).toBe(others.replace("/home/adam/x ", ""));
	expect(masked("/data/people/ada/x and C:\\Users\\ada\\x", ["/data/people/ada", "C:\\Users\\ada"])).toBe(
		"~/x and ~\\x",
	);
	// Names of files may be no Unicode.
	expect(masked("ls /home/a\ud800b/x", ["/home/a\ud800b"])).toBe("ls ~/x");
});

test.each(SYSTEMS)(
	"a home on $name is masked in the forms that it has in sessions there",
	({ cwd, home, file, system }) => {
		const { sep } = system.paths;
		const forms = [cwd, file("src/a.ts"), JSON.stringify({ cwd }), encodeURIComponent(cwd)];
		const others = ["c:\\users\\ada\\x", "C:/Users/ada/x", "/c/Users/ada/x", "/mnt/c/Users/ada/x", "/Users/ADA/x"];
		for (const text of [...forms, ...(system === LINUX ? [] : others)])
			expect(masked(`cd ${text} && ls`, [home])).not.toMatch(/ada/i);
		expect(masked(file("a.ts"), [home])).toBe(["~", "work", "api", "a.ts"].join(sep));
		expect(masked("GET /users/ada2 HTTP/1.1", [home])).toBe("GET /users/ada2 HTTP/1.1");
	},
);

test("what is allowed is found and left; the same text has the same mask; a part of a long text is not missed", () => {
	const masker = new Masker({ allowed: new Set(["mail"]), homes: [] });
	expect(masker.mask("a@b.io, c@d.io, a@b.io", "e1")).toBe("a@b.io, c@d.io, a@b.io");
	expect([...masker.findings].map(({ kind, text }) => [kind, text])).toEqual([
		["mail", "a@b.io"],
		["mail", "c@d.io"],
	]);
	const key = "ghp_0123456789abcdefghijklmnopqrstuvwxyz";
	// Where one part ends and the next begins: wherever the key stands, it is whole in one of them.
	const starts = [1 << 20, (1 << 20) + (1 << 16)].flatMap((end) => [-60, -39, -20, -1, 0, 1, 20].map((by) => end + by));
	for (const at of starts) {
		const text = `${" ".repeat(at)}${key} `.padEnd(1_300_000);
		expect(masker.mask(text, "e2").trim()).toBe("‹key 1›");
	}
});

test("the beginning of no form takes longer, however often it is there", () => {
	for (const { begins = [] } of SECRET_FORMS) masked((begins[0] ?? "").repeat(10_000));
});

test("any number of known values is looked for at once", () => {
	const masker = new Masker({ allowed: new Set(), homes: [] });
	const keys = Array.from({ length: 20_000 }, (_, number) => `ghp_${String(number).padStart(36, "0")}`);
	masker.learn(keys.join(" "), "e1");
	expect(masker.known.mask(keys.join(" "), "e2")).not.toContain("ghp_");
});

/** Texts for which a careless pattern takes the square of their length: minutes, where these take a second or two. */
test.each([
	"eyJ",
	"a@",
	"token=",
	"curl -",
	"://a:",
	"/home/",
	"sk-ant-",
	"-----BEGIN PRIVATE KEY-----",
	"Aa0_",
	"deadbeef",
	"mysql -p",
	"password is ",
	"password: **",
	"cookie: a=",
	"user=a;",
	":5432:a:",
	"otpauth://a?",
	"https://a:b@",
	"\\",
	"\\\\u00",
	"\u001b[0",
	"&quot",
])("%s, tens of thousands of times", (piece) => {
	masked(piece.repeat(inLong(100_000, 30_000)), ["/home/ada"]);
});

test("what was learned in one text is masked by its value in every other, and what is as common as a word is not", () => {
	const masker = new Masker({ allowed: new Set(), homes: [] });
	masker.learn("DB_PASSWORD=correct-horse-battery and password: 'hunter'", "e1");
	expect([...masker.findings].map(({ places }) => [...places])).toEqual([["e1"], ["e1"]]);
	expect(masker.mask("try correct-horse-battery, hunter of correct-horse-battery-staples", "e2")).toBe(
		"try ‹password 1›, hunter of ‹password 1›-staples",
	);
	expect([...masker.findings][0]?.places).toEqual(new Set(["e1", "e2"]));
});

test.each([
	["`DB_PASSWORD=correct-horse-battery`", "`DB_PASSWORD=‹password 1›`"],
	["**DB_PASSWORD=correct-horse-battery**", "**DB_PASSWORD=‹password 1›**"],
	["**Password:** `hunter22hunter`.", "**Password:** `‹password 1›`."],
	[
		"\u001b[1mDB_\u001b[31mPASS\u001b[0mWORD=correct-\u001b[32mhorse\u001b[0m",
		"\u001b[1mDB_\u001b[31mPASS\u001b[0mWORD=‹password 1›\u001b[32m\u001b[0m",
	],
	["DB_PASSWORD=correct-horse\u001b[0m ok", "DB_PASSWORD=‹password 1›\u001b[0m ok"],
	['{\\\\\\"password\\\\\\":\\\\\\"hunter22!\\\\\\"}', '{\\\\\\"password\\\\\\":\\\\\\"‹password 1›\\\\\\"}'],
	["&quot;password&quot;: &quot;hunter22!&quot;", "&quot;password&quot;: &quot;‹password 1›&quot;"],
	["password: hun\u200bter22!x", "password: ‹password 1›"],
	["the password is hunter22!, I think", "the password is ‹password 1›, I think"],
])("only the value of %j is masked: its markup and colors stay whole", (text, expected) => {
	expect(masked(text)).toBe(expected);
});
