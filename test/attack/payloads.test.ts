import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { attack } from "../support/attack.ts";
import { fixtureDir } from "../support/fixture.ts";
import { changedLines } from "../support/hostile-session.ts";
import { Sandbox } from "../support/sandbox.ts";
import { runSoundly } from "../support/sound-output.ts";

/** What a terminal obeys: none of them may leave the program as it is. */
const FOR_TERMINALS = [
	"\x1b]52;c;cHduZWQ=\x07",
	"\x9d52;c;cHduZWQ=\x9c",
	"\x1b]0;owned\x07",
	"\x1b]8;;http://evil.example\x1b\\link\x1b]8;;\x1b\\",
	"\x1bPowned\x1b\\",
	"\x1b_owned\x1b\\",
	"\x1b[7;77H",
	"\x9b7;77H",
	"\x1b[?1049l\x1b[?1003h",
	"\x1b[5i\x1b[4i",
	"\x1bc\x1b#8",
	"\u202egnp.exe\u202c",
	"\u2066hidden\u2069",
];

/** What a page would obey. */
const FOR_PAGES = [
	'<script>document.title="obeyed"</script>',
	"</pre></code></article><script src=http://evil.example/x></script>",
	'"><img src=http://evil.example/i onerror="alert(1)">',
	"'><svg onload=alert(1)>",
	"<iframe src=http://evil.example></iframe>",
	"[click](javascript:alert(1))",
	"![x](http://evil.example/i.png)",
];

/** What splits lines and columns, or is of no width. */
const ODD = ["\r", "\t", "\n", "\u2028", "\0", "\x7f", "\u200b", "\ufeff", "\u0301".repeat(50), "\ud800", "\u{e0041}"];

const FIXTURES = ["every-entry-type", "branches", "conversation", "names", "orphaned-results", "v1"];

const COMMANDS: readonly (readonly string[])[] = [
	["list"],
	["list", "--json"],
	["stats"],
	["stats", "--json"],
	["show", "S"],
	["show", "S", "--all", "--full"],
	["show", "S", "--tree"],
	["show", "S", "--json"],
	["show", "S", "--markdown"],
	["standup"],
	["doctor"],
	["search", "a"],
	["search", "a", "--json"],
	["prompts"],
	["prompts", "--json"],
	["commands"],
	["files"],
	["tidy"],
	["rename", "S", "x", "--yes"],
	["history"],
	["delete", "S", "--yes"],
	["restore"],
	["undo", "--yes"],
];

/** Tags of our own pages: the script, once, and a picture that keeps the browser from asking for one. */
const OWN_TAGS: ReadonlySet<string> = new Set(["<script>", '<link rel="icon" href="data:,">']);

/** The tags of a page that run something or load something from elsewhere, its own script left out. */
function aliveTags(page: string): string[] {
	const tags = [...page.matchAll(/<[a-z!][^<>]*>/gi)].map(([tag]) => tag);
	const scripts = tags.filter((tag) => /^<script\b/i.test(tag));
	const others = tags.filter((tag) => {
		if (OWN_TAGS.has(tag)) return false;
		if (/^<(?:script|iframe|object|embed|base|link|svg)\b/i.test(tag)) return true;
		const names = tag.replace(/"[^"]*"/g, '""');
		return /\son\w+\s*=/i.test(names) || /\ssrc="(?!data:image\/)|="\s*javascript:/i.test(tag);
	});
	return scripts.length > 1 ? [...scripts, ...others] : others;
}

attack("payloads in any field reach no terminal and no page", 1, async ({ random, pick, below }) => {
	const sandbox = new Sandbox();
	try {
		const directory = join(sandbox.agentDir, "sessions", "--p--");
		mkdirSync(directory, { recursive: true });
		const payload = () => pick(pick([FOR_TERMINALS, FOR_PAGES, ODD]));
		const paths = [1, 2, 3].map((number) => {
			const content = changedLines(join(fixtureDir, `${pick(FIXTURES)}.jsonl`), (text) => {
				const at = below(text.length + 1);
				return random() < 0.5 ? text : text.slice(0, at) + payload() + text.slice(at);
			});
			const path = join(
				directory,
				`${number}${payload()
					.replace(/[/\0\ud800]/g, "")
					.slice(0, 40)}.jsonl`,
			);
			writeFileSync(path, content);
			return path;
		});
		const path = pick(paths);
		for (const args of COMMANDS) {
			runSoundly(
				sandbox,
				args.map((arg) => (arg === "S" ? path : arg)),
			);
		}
		const page = join(sandbox.home, "page.html");
		runSoundly(sandbox, ["export", path, "--all", "--out", page]);
		expect(aliveTags(readFileSync(page, "utf8"))).toEqual([]);

		const terminal = sandbox.start([], { columns: 120, rows: 40 });
		await terminal.waitFor(/\d\/3/);
		for (const keys of [["down"], ["right"], ["home", "pageDown", "end"], ["ctrl+f"], ["pageUp"], ["escape"], ["left"]])
			terminal.press(...keys);
		terminal.press("ctrl+c");
		await terminal.exit();
		for (const one of FOR_TERMINALS) expect(terminal.written.includes(one), JSON.stringify(one)).toBe(false);
		return COMMANDS.length + 2;
	} finally {
		sandbox.remove();
	}
});
