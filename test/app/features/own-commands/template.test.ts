import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { fillIn, parseTemplate, type Values } from "../../../../src/app/features/own-commands/template.ts";
import { caseCount } from "../../../support/cases.ts";
import { tempDir } from "../../../support/temp-dir.ts";

/** What a real shell makes of a command with these values. */
function runIt(command: string, ...sessions: readonly Values[]): string {
	const template = parseTemplate(command);
	if (typeof template === "string") throw new Error(template);
	const { script, args } = fillIn(template, sessions);
	return execFileSync("/bin/sh", ["-c", script, "pi-grove", ...args], { encoding: "utf8", cwd: tempDir() });
}

const HOSTILE = [
	'it\'s "quoted"',
	// biome-ignore lint/suspicious/noTemplateCurlyInString: of the shell
	"$(touch owned) `touch owned` ${HOME} $HOME",
	"'; touch owned; '",
	'"; touch owned; "',
	"a\nb\n\ntouch owned",
	"\\",
	"\\'",
	"* ? [a-z] ~ ! # | & ; < > ( ) { }",
	// biome-ignore lint/suspicious/noTemplateCurlyInString: of the shell
	"${1} ${2} {path} {title}",
	"% %s \\n",
	"",
	"  blanks  ",
	"検索 🌲",
];

describe("a value is a word of its own, whatever is in it", () => {
	test.each(HOSTILE)("%j", (title) => {
		expect(runIt("printf '<%s>' {title} {id}", { title, id: "x" })).toBe(`<${title}><x>`);
		expect(runIt("printf '%s|' --name={title}/end", { title })).toBe(`--name=${title}/end|`);
		// The shell itself takes the ends of lines from an output.
		expect(runIt('printf "%s" "$(printf %s {title})"', { title })).toBe(title);
	});

	test("and any other", () => {
		const text = fc
			.string({ unit: "binary", maxLength: 40 })
			.map((each) => each.replaceAll("\0", "").replace(/^-/, "x"));
		fc.assert(
			fc.property(text, (title) => runIt("printf '<%s>' {title}", { title }) === `<${title.toWellFormed()}>`),
			{ numRuns: caseCount(4, 40) },
		);
	});

	test("nothing of it is run", () => {
		const dir = tempDir();
		for (const title of HOSTILE) {
			const template = parseTemplate("cd {cwd} && : {title} $(: {title}) && bash -c ': \"$1\"' x {title}");
			if (typeof template === "string") throw new Error(template);
			const { script, args } = fillIn(template, [{ cwd: dir, title }]);
			execFileSync("/bin/sh", ["-c", script, "pi-grove", ...args]);
			expect(existsSync(join(dir, "owned"))).toBe(false);
		}
	});

	test("a leading dash makes no option of it, and a NUL is left out", () => {
		expect(runIt("printf '<%s>' {title} {id}", { title: "--version", id: "-rf" })).toBe("< --version>< -rf>");
		expect(runIt("printf '<%s>' {title}", { title: "a\0b" })).toBe("<ab>");
	});
});

test("of several sessions each is a word", () => {
	const sessions = [
		{ path: "/a b", title: "x" },
		{ path: "/c'd", title: "y" },
	];
	expect(runIt("printf '<%s>' {path} end {title}", ...sessions)).toBe("</a b></c'd><end><x><y>");
	expect(runIt("printf '<%s>' {path}", ...Array.from({ length: 12 }, (_, index) => ({ path: `/${index}` })))).toContain(
		"</9></10></11>",
	);
});

test.each([
	["echo '{title}'", "quotes"],
	['echo "{title}"', "quotes"],
	['sh -c "less {path}"', "quotes"],
	["echo `basename {path}`", "backticks"],
	['echo "`basename {path}`"', "backticks"],
	["cat <<E\n{title}\nE", "here-document"],
	["sh <<EOF\n: {title}\nEOF", "here-document"],
	["cat <<-EOF | sh\n{title}\nEOF", "here-document"],
	["ssh h sh <<EOF\n{title}\nEOF", "here-document"],
	["cat {title} <<<x", "here-document"],
	// biome-ignore lint/suspicious/noTemplateCurlyInString: of the shell
	['echo "${x:-"a"} {title}"', "more than a name"],
	["echo $'it\\'s' {title}", "$'…'"],
	['echo "$(case x in x) echo {title};; esac)"', "case beside"],
	["ssh h cat {path}", "ssh reads"],
	["cd /x && ssh h cat {path}", "ssh reads"],
	["/usr/bin/ssh h {path}", "ssh reads"],
	["eval echo {title}", "eval reads"],
	["x=1 eval {title}", "eval reads"],
	["sudo -u ada eval {title}", "eval reads"],
	["watch ls {path}", "watch reads"],
	["printf %s {title} | sh", "sh reads"],
	["printf %s {title} | ssh h sh", "ssh reads"],
	["printf %s {title} | bash -s", "bash reads"],
	["bash <(echo {title})", "bash reads"],
	["sh -c {title}", "sh reads"],
	["sh {path}", "sh reads"],
	['sh -c "echo $(basename {title})"', "sh reads"],
	["env -i /bin/sh -ec {title}", "sh reads"],
	["printf %s {title} | xargs -I% sh -c 'echo %'", "sh reads"],
	["tmux send-keys {title}", "tmux reads"],
	["echo {nosuch}", "{nosuch} is not known: there are {path}"],
	['echo "{Path}"', "{Path} is not known"],
])("%s is refused", (command, what) => {
	expect(parseTemplate(command)).toContain(what);
});

test("what a refusal says to do instead works", () => {
	expect(parseTemplate("sh -c 'printf %s {title}'")).toContain('"$PI_GROVE_TITLE"');
	const title = HOSTILE.join(" ");
	expect(runIt("sh -c 'printf %s \"$PI_GROVE_TITLE\"'", { title })).toBe(title);
	expect(runIt("sh <<'EOF'\nprintf %s \"$PI_GROVE_TITLE\"\nEOF", { title })).toBe(title);
	expect(runIt('printf \'%s|\' "$PI_GROVE_ID" {title} "$PI_GROVE_PATH"', { title, id: "x", path: "/y" })).toBe(
		`x|${title}|/y|`,
	);
});

test.each([
	"bash ~/bin/note.sh {path}",
	"sh -eu ./x.sh {path}",
	'zsh "$HOME/x" {path}',
	"sh {cwd}/run.sh {title}",
	"sh -c 'less \"$1\"' x {path}",
	"rsync -e ssh {path} host:keep/",
	"tmux new-window -c {cwd} pi --session {path}",
	"cd {cwd} # it's \" odd\necho {title}",
	"grep -c 'x$' {path}",
	'echo "$(basename {path})" && git -C {cwd} log --format={title}',
	"printf '%s\\n' {path} | xargs -d '\\n' ls",
	"git -C {cwd} log @{u}.. && curl -w '%{http_code}' x && awk '{print}' {path}",
	"cp {path} ~/notes.sh",
])("%s is taken", (command) => {
	expect(parseTemplate(command)).toBeInstanceOf(Array);
});

test.each([
	// biome-ignore lint/suspicious/noTemplateCurlyInString: of the shell
	["echo {} ${path} {path @{u} %{x} {{json}}", 0],
	["echo \\' {path}", 1],
	['echo "$(basename {path})"', 1],
	["(cd {cwd}; ls) && case x in a) echo {id};; esac", 2],
	["echo 'a' {path} \"b\" {id}", 2],
])("%s has placeholders: %i", (command, count) => {
	const template = parseTemplate(command);
	expect(typeof template === "string" ? template : template.filter((piece) => typeof piece === "object").length).toBe(
		count,
	);
});
