import { execFileSync } from "node:child_process";
import { globSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, expect, test } from "vitest";
import { PAGE_STYLE } from "../../src/conversation/html/page-style.ts";
import { copyFamily, sessionsOf } from "../support/copied-family.ts";
import { run } from "../support/run.ts";
import { sandboxOfTest } from "../support/sandbox.ts";

const KEY = "sk-ant-api03-Zk3vQ9xY7rT2wP5nL8mB4cD6fG1hJ0kS-aQwErTyUiOpAsDfGhJkLzXcVbNm";

const sandbox = sandboxOfTest();
let session: string;
beforeEach(() => {
	session = sandbox.session({
		project: "work/api",
		age: 60,
		name: "Rotate the keys",
		messages: [
			{ role: "user", text: `The key is ${KEY}, mail ada@lovelace.org when it is done` },
			{ role: "assistant", text: `See ${sandbox.home}/work/api/.env: **done**` },
			{ role: "user", text: "Something else", after: 0 },
			{ role: "assistant", text: "Use `rotate(1)`." },
		],
	});
});

test("a page, with what was found listed first and masked in it", () => {
	const before = sandbox.fingerprints();
	const { code, out, err } = run(sandbox, ["export", session, "--html", "--all"]);
	expect({ code, out }).toEqual({ code: 0, out: `${join(sandbox.home, "rotate-the-keys.html")}\n` });
	expect(err.split("\n").slice(0, -2)).toEqual([
		"1 key, masked (--allow key leaves them):",
		`  sk-ant… (${KEY.length} characters)  →  ‹key 1›  in 1 entry`,
		"1 mail address, masked (--allow mail leaves them):",
		"  ada@lovelace.org  →  ‹mail address 1›  in 1 entry",
		"1 home directory, masked (--allow home leaves them):",
		`  ${sandbox.home}  →  ~  in 2 entries`,
		"Masked: 1 key, 1 mail address, 1 home directory. Read the rest before you share it.",
	]);
	const page = readFileSync(out.trim(), "utf8");
	expect(page).toMatch(/^<!doctype html>/);
	// Signs that are not ASCII included, which a bundler may write in another way.
	expect(page).toContain(`<style>${PAGE_STYLE}</style>`);
	expect(page).toContain("The key is <mark>‹key 1›</mark>, mail <mark>‹mail address 1›</mark> when");
	expect(page).toContain("<strong>done</strong>");
	expect(page).toContain("<code>rotate(1)</code>");
	for (const secret of [KEY.slice(10, 30), "lovelace", sandbox.home]) expect(page).not.toContain(secret);
	// Who may not read the session may not read this.
	expect(statSync(out.trim()).mode & 0o777).toBe(statSync(session).mode & 0o777);
	expect(sandbox.fingerprints()).toEqual(before);
});

test("Markdown of the branch that goes on; what is allowed stays; nothing is written over", () => {
	const path = join(sandbox.home, "notes.md");
	writeFileSync(path, "mine");
	const { code, out, err } = run(sandbox, ["export", session, "--out", path, "--allow", "mail,home"]);
	expect({ code, out }).toEqual({ code: 0, out: `${join(sandbox.home, "notes-2.md")}\n` });
	expect(err).toContain("1 mail address, left as they are:\n  ada@lovelace.org  in 1 entry\n");
	// It stands in the branch that is left out, too.
	expect(err).toContain(`1 home directory, left as they are:\n  ${sandbox.home}  in 1 entry\n`);
	expect(err).toContain("Another branch (1 entry) is left out.");
	const text = readFileSync(out.trim(), "utf8");
	expect(text).toContain("The key is ‹key 1›, mail ada@lovelace.org when");
	expect(text).not.toContain("**done**");
	expect(text).not.toContain("Masked");
	expect(text).toMatch(/\n\*Another branch \(1 entry\) is left out\.\*\n$/);
	expect(readFileSync(path, "utf8")).toBe("mine");
});

test("as JSON, several into a directory; one to stdout", () => {
	const other = sandbox.session({ project: "b", age: 3, messages: [{ role: "user", text: "Only this" }] });
	const args = ["export", session, other, "--html", "--out", "pages", "--json"];
	const { code, out } = run(sandbox, args);
	expect(code).toBe(0);
	expect(JSON.parse(out)).toMatchObject([
		{
			session,
			title: "Rotate the keys",
			format: "html",
			leftOut: { branches: 1, entries: 1 },
			path: join(sandbox.home, "pages", "rotate-the-keys.html"),
			bytes: expect.any(Number),
			findings: [
				{ kind: "key", found: `sk-ant… (${KEY.length} characters)`, masked: true, mask: "‹key 1›", count: 1 },
				{ kind: "mail", found: "ada@lovelace.org" },
				{ kind: "home", mask: "~" },
			],
		},
		{ title: "Only this", leftOut: { branches: 0, entries: 0 } },
	]);
	expect(run(sandbox, ["export", `${other}#`, "--out", "-"]).code).toBe(2);
	expect(run(sandbox, ["export", other, "--out", "-"])).toMatchObject({
		code: 0,
		out: expect.stringMatching(/^# Session in b, \d+ \w+ \d{4}\n[\s\S]*\nOnly this\n/),
		err: expect.stringContaining("home directory"),
	});
});

test("values of the .env files of the session's directory are masked wherever they stand, and written nowhere", () => {
	const secrets = { plain: "kw9-Tuesday-lamp", local: "correct-horse-battery-77", example: "your-value-goes-here-1" };
	const cwd = sandbox.directory("work/env");
	writeFileSync(
		join(cwd, ".env"),
		`# settings\nSTRIPE="${secrets.plain}"\nexport DB_PASSWORD=${secrets.local} # ours\nPORT=3000\nNODE_ENV=production\nAPP_TITLE=development\n`,
	);
	writeFileSync(join(cwd, ".env.example"), `DB_PASSWORD=${secrets.example}\n`);
	execFileSync("mkfifo", [join(cwd, ".env.pipe")]);
	mkdirSync(join(cwd, ".env.directory"));
	const path = sandbox.session({
		project: "work/env",
		age: 5,
		name: `Log in with ${secrets.local}`,
		messages: [
			{ role: "user", text: `Try ${secrets.local}, in production and development on 3000` },
			{ role: "assistant", text: `No: it is \`${secrets.local}\`, not ${secrets.example} or kw9-Tuesday-lamp` },
		],
	});
	for (const more of [[], ["--html"]]) {
		const { out, err } = run(sandbox, ["export", path, ...more]);
		const text = readFileSync(out.trim(), "utf8");
		for (const said of [text, err, out]) {
			expect(said).not.toContain(secrets.local);
			expect(said).not.toContain(secrets.plain);
			expect(said).not.toContain("correc");
		}
		expect(text).toContain(secrets.example);
		expect(text).toContain("in production and development on 3000");
		expect(out).toContain("log-in-with-password-1");
	}
	for (const file of globSync("**/*", { cwd: sandbox.home, withFileTypes: true }))
		if (file.isFile() && !/^\.env|\.jsonl$/.test(file.name))
			expect(readFileSync(join(file.parentPath, file.name), "latin1")).not.toContain(secrets.local);
});

test("show --html prints the same page", () => {
	const { code, out, err } = run(sandbox, ["show", session, "--html", "--allow", "mail"]);
	expect(code).toBe(0);
	expect(out).toMatch(/^<!doctype html>[\s\S]*<\/html>\n$/);
	expect(out).toContain("The key is <mark>‹key 1›</mark>, mail ada@lovelace.org when");
	expect(err).toContain("1 key, masked");
	expect(run(sandbox, ["show", session, "--allow", "mail"]).err).toContain("--allow is for --html");
	expect(run(sandbox, ["show", session, "--html", "--turn"]).err).toContain("--turn means nothing with --html");
});

test("what cannot be done is said in a line, and nothing is written", () => {
	const lines = (...args: string[]) => {
		const { code, out, err } = run(sandbox, ["export", ...args]);
		return [code, out, err.trim().split("\n").at(-1)];
	};
	expect(lines()).toEqual([2, "", expect.stringContaining("export needs a session: pi-grove export SESSION…")]);
	expect(lines("nowhere.jsonl")).toEqual([2, "", expect.stringContaining("cannot open")]);
	expect(lines(`${session}#zzzz`)).toEqual([2, "", expect.stringContaining("has an id that begins with zzzz")]);
	expect(lines(session, "--allow", "mails")).toEqual([
		2,
		"",
		"pi-grove: --allow takes key, token, password, mail, home, user and all, not mails",
	]);
	expect(lines(session, "--out", "no/where.md")).toEqual([
		2,
		"",
		expect.stringMatching(/^pi-grove: cannot write no\/where\.md: there is no directory .*\/no$/),
	]);
	expect(lines(session, session, "--out", "-")).toEqual([2, "", expect.stringContaining("only one session")]);
	const empty = join(sandbox.home, "empty.jsonl");
	writeFileSync(empty, "");
	expect(lines(empty)).toEqual([2, "", expect.stringContaining(`there is no session in ${empty}`)]);
});

test("with --runs the session and all runs below it, a file each", () => {
	const [parent, ...runs] = sessionsOf(copyFamily("nested", join(sandbox.agentDir, "sessions")));
	const out = join(sandbox.home, "shared");
	expect(run(sandbox, ["export", parent, "--runs", "--out", "-"]).code).toBe(2);
	const saved = run(sandbox, ["export", parent, "--runs", "--out", out, "--json"]);
	expect(saved.code).toBe(0);
	const sessions = (JSON.parse(saved.out) as { readonly session: string }[]).map(({ session: path }) => path);
	expect(sessions).toEqual([parent, ...runs]);
	expect(globSync("*.md", { cwd: out })).toHaveLength(1 + runs.length);
});

test("the pages of a family name each other, with the titles that the terminal has", () => {
	const directory = copyFamily("parallel", join(sandbox.agentDir, "sessions"));
	const [parent] = sessionsOf(directory);
	const { code, out } = run(sandbox, ["export", parent, "--html", "--runs", "--out", "pages/"]);
	const page = (name: string): string => readFileSync(join(sandbox.home, "pages", `${name}.html`), "utf8");
	const names = ["review-everything", "checker-review-the-schema", "checker-review-the-routes"];
	expect({ code, out }).toEqual({
		code: 0,
		out: names.map((name) => `${join(sandbox.home, "pages", `${name}.html`)}\n`).join(""),
	});
	const [above = "", ...runs] = names;
	for (const name of runs) {
		for (const of of ["", "row run"])
			expect(page(above)).toContain(`<a class="${of}" href="${name}.html">◫ <span class="verb">checker</span>`);
		const [, id] = new RegExp(`<a href="${above}\\.html#(\\w+)">◫ run of Review everything`).exec(page(name)) ?? [];
		expect(page(above)).toContain(`id="${id}"`);
	}
	expect(page("checker-review-the-schema")).toContain("<title>checker · Review the schema</title>");
	// A second time all have other names.
	run(sandbox, ["export", parent, "--html", "--runs", "--out", "pages/"]);
	expect(page(`${above}-2`)).toContain(`href="checker-review-the-routes-2.html">`);
});

test("with the path of a file outside of all session directories, its runs are those beside it", () => {
	const [parent] = sessionsOf(copyFamily("nested", join(sandbox.home, "elsewhere")));
	const { code, out } = run(sandbox, ["export", parent, "--runs", "--out", "pages/"]);
	const names = ["find-out-how-things-are-stored", "lead-explore-the-storage", "reader-read-the-database-layer"];
	expect({ code, out }).toEqual({
		code: 0,
		out: names.map((name) => `${join(sandbox.home, "pages", `${name}.md`)}\n`).join(""),
	});
});
