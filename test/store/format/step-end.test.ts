import { expect, test } from "vitest";
import { isSearchCommand } from "../../../src/store/format/search-command.ts";
import { messageEnd, nestedEnd, runsSearch, type StepEnd } from "../../../src/store/format/step-end.ts";

/** Command lines whose status 1 says that nothing was found. */
const SEARCHES = [
	"(cd x; grep foo a)",
	"{ cd x; grep foo a; }",
	"grep foo a.txt",
	'grep -n "a b" src/*.ts',
	"grep -rn 'x;y' .",
	"/usr/bin/grep foo a",
	"\\grep foo a",
	"rg -n foo src",
	"ag foo",
	"git grep -n foo",
	"git -C /r -c core.pager=cat --no-pager grep foo",
	"git diff --exit-code",
	"git diff --quiet HEAD -- src",
	"git merge-base --is-ancestor a b",
	"git config --get user.name",
	"diff -u a b",
	"diff <(sort a) <(sort b)",
	"cmp a b",
	"test -f x",
	"[ -d node_modules ]",
	'[[ -f a && "$x" =~ ^(a|b)$ ]]',
	"which pnpm",
	"command -v pnpm >/dev/null 2>&1",
	"type -P node",
	"pgrep -f vite",
	"lsof -i :3000",
	"jq -e .x a.json",
	"cd x && grep foo a",
	"cd x && cat a && grep foo a",
	"cat a | grep foo",
	"cat a |\n  grep foo",
	"npm test 2>&1 | grep -i fail",
	"npm test; grep foo out.txt",
	"npm test\ngrep foo out.txt\n",
	"npm test & grep foo out.txt",
	"grep a x || grep b x",
	"npm test || grep b x",
	"LC_ALL=C grep foo a",
	"FOO='a b' env -u X LANG=C grep foo a",
	"sudo -u root grep foo /etc/passwd",
	"timeout 5 grep -r foo /",
	"timeout -k 1 5s rg foo",
	"time nice -n 5 grep foo a",
	"(cd x && grep foo a)",
	"{ grep foo a; }",
	"grep foo a 2>/dev/null >out.txt",
	'grep foo <<<"$x"',
	'echo "== $(ls | wc -l) ==" && grep foo a # nothing',
	'echo $(grep "x;y" a) && grep foo a',
	"set -euo pipefail; cat a | grep foo | head -3",
	"for f in a b; do echo $f; done; grep foo a",
	"grep foo a \\\n  b",
];

/** Command lines of which it says that something failed, or of which it cannot be known. */
const OTHERS = [
	"npm test && (which a || which b)",
	"git diff | grep '|' a\nnpm test",
	"grep -F '[[' a; npm test",
	"npm test",
	"make",
	"false",
	"grep foo a | head -5",
	"grep foo a | wc -l",
	"rg foo | xargs cat",
	"! grep foo a",
	"grep foo a; npm test",
	"grep foo a && npm test",
	"npm test && grep foo a",
	"grep foo a || exit 1",
	"grep foo a || npm test",
	"grep foo a || true",
	"set -e; npm test; grep foo a",
	"set -o pipefail; npm test | grep foo",
	"grep foo a &",
	"x=$(grep foo a)",
	"git diff",
	"git commit -m grep",
	"git push && git grep x",
	'echo "grep foo"',
	"node -e 'test()'",
	"bash -c 'grep foo a'",
	"ssh host grep foo a",
	"npm run diff",
	"./test",
	"cat <<EOF\ngrep\nEOF",
	"if grep -q foo a; then npm test; fi",
	"for f in a b; do grep foo $f; done",
	"grep 'foo",
	"grep foo a)",
	"vitest test",
	"",
	"cd grep",
	"sudo npm test",
	"timeout 5 npm run grep",
	"> grep",
	"grep foo a;;",
];

test.each(SEARCHES)("a search: %s", (line) => expect(isSearchCommand(line)).toBe(true));
test.each(OTHERS)("no search: %s", (line) => expect(isSearchCommand(line)).toBe(false));

/** Would take minutes if what is never closed were looked for again from each of its beginnings. */
test.each(["grep a && ", "((", "$(", '"$(', "`", "\\", "<(", "a=", "{ "])("many times %j", (piece) => {
	expect(typeof isSearchCommand(`grep x ${piece.repeat(9000 / piece.length)}`)).toBe("boolean");
});

/** A bash call, its text, and how it ended. */
const ENDS: [command: string, output: string, end: StepEnd, durationMs?: number][] = [
	["grep foo a", "(no output)\n\nCommand exited with code 1", "no match"],
	["grep foo a", "grep: a: No such file or directory\n\nCommand exited with code 2", "failed"],
	["grep foo a", "grep: a: No such file or directory\n\nCommand exited with code 1", "failed"],
	["cd x && grep foo a", "/bin/bash: line 1: cd: x: No such file or directory\n\nCommand exited with code 1", "failed"],
	["cat a b && grep foo a", "cat: a: Permission denied\nhello\n\nCommand exited with code 1", "failed"],
	["cat a && grep foo a", "not found: nothing\nCannot say\n\nCommand exited with code 1", "no match"],
	["sudo grep foo a", "sudo: a password is required\n\nCommand exited with code 1", "failed"],
	["diff a b", "1c1\n< error: x\n---\n> y: not found\n\nCommand exited with code 1", "no match"],
	["type foo", "/bin/bash: line 1: type: foo: not found\n\nCommand exited with code 1", "no match"],
	["which foo", "which: no foo in (/usr/bin:/bin)\n\nCommand exited with code 1", "no match"],
	["rg -n '('", "rg: regex parse error\n\nCommand exited with code 2", "failed"],
	["npm test", "Command exited with code 1", "failed"],
	["grep foo a", "Command aborted", "stopped"],
	["npm test", "half of it\n\nCommand aborted", "stopped"],
	["npm test", "Command timed out after 5 seconds", "failed"],
	["make x", "Operation aborted", "not run"],
	["make x", "Operation aborted", "stopped", 40],
	["make x", "make: Operation aborted", "failed"],
];

test.each(ENDS)("how a call ended: %s, %j", (...[command, output, end, durationMs]) => {
	const message = { role: "toolResult", toolName: "bash", content: [{ type: "text", text: output }], durationMs };
	expect(messageEnd({ ...message, isError: true }, () => runsSearch("bash", { command }))).toBe(end);
	expect(messageEnd({ ...message, isError: false }, () => true)).toBe("ok");
	const nested = { status: "error", error: output, durationMs };
	expect(nestedEnd({ id: "", name: "bash", args: { command }, nested })).toBe(end);
});

test.each<[object, StepEnd]>([
	[{ role: "bashExecution", command: "grep foo a", output: "", exitCode: 1, cancelled: false }, "no match"],
	[{ role: "bashExecution", command: "npm test", output: "", exitCode: 1 }, "failed"],
	[{ role: "bashExecution", command: "npm test", output: "", exitCode: 0 }, "ok"],
	[{ role: "bashExecution", command: "grep foo a", output: "", cancelled: true }, "stopped"],
	[{ role: "bashExecution", command: 5, exitCode: "1" }, "ok"],
	[{ role: "assistant", stopReason: "aborted", errorMessage: "Request was aborted" }, "stopped"],
	[{ role: "assistant", stopReason: "error", errorMessage: "terminated" }, "failed"],
	[{ role: "assistant", stopReason: "length" }, "ok"],
	[{ role: "toolResult", toolName: "read", isError: true, content: [{ type: "text", text: "ENOENT" }] }, "failed"],
	[{ role: "toolResult", toolName: "read", isError: true, content: "Operation aborted" }, "not run"],
	[{ role: "user", content: "Operation aborted", isError: true }, "ok"],
])("how a message ended: %j", (message, end) => expect(messageEnd({ ...message }, () => false)).toBe(end));
