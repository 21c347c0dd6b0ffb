import { spawnSync } from "node:child_process";
import {
	chmodSync,
	cpSync,
	lstatSync,
	mkdirSync,
	readdirSync,
	readFileSync,
	readlinkSync,
	rmSync,
	writeFileSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import { commandEffects } from "../../src/edits/commands.ts";
import type { PlacedEffect } from "../../src/edits/effects.ts";
import { GitRepository } from "../support/git-repository.ts";
import { tempDirOfFile } from "../support/temp-dir.ts";

/** An effect in short: with "?" before it if it may not have happened in a line that succeeded, and "!" behind it if it has not in one that failed. */
function shownEffect(effect: PlacedEffect): string {
	const prefix = effect.ifSucceeded === "yes" ? "" : "?";
	return `${effect.kind === "may" ? "" : prefix}${whatOf(effect)}${effect.ifFailed === "no" ? "!" : ""}`.replaceAll(
		"/w/",
		"",
	);
}

function whatOf(effect: PlacedEffect): string {
	const { kind } = effect;
	if (kind === "may") {
		const named = [...effect.named, ...(effect.isWide ? ["wide"] : [])];
		return effect.paths === undefined ? ["any", ...named].join(" ") : `may ${effect.paths.join(" ")}`;
	}
	if (kind === "git") {
		if (effect.does === "add") return `add ${effect.paths?.join(" ") ?? "all"}`;
		if (effect.does === "restore")
			return `restore ${effect.paths?.join(" ")}${effect.tree === undefined ? "" : ` of ${effect.tree}`}`;
		if (effect.does === "move") return `HEAD ${effect.subcommand}`;
		return effect.does;
	}
	if ("from" in effect) return `${effect.by === "git" ? "git " : ""}${kind} ${effect.from} ${effect.to}`;
	if (kind === "remove") return `${effect.by === "git" ? "git " : ""}rm ${effect.path}`;
	if (kind === "write" || kind === "append") return `${kind} ${effect.path} ${JSON.stringify(effect.text)}`;
	if (kind === "create") return `create ${effect.path}${effect.isDirectory ? "/" : ""}`;
	if (kind === "mode") return `${effect.isExecutable ? "+x" : "-x"}${effect.isRecursive ? " all" : ""} ${effect.path}`;
	return kind === "link" ? `link ${effect.path} -> ${effect.target}` : `sed ${effect.path}`;
}

const effectsOf = (line: string, cwd = "/w"): readonly string[] => commandEffects(line, cwd).map(shownEffect);

test.each([
	"ls -la && git status --short | head -3; cat a b 2>/dev/null",
	"grep -rn 'x y' src | sort | uniq -c",
	"find . -name '*.ts' | xargs grep -l foo",
	"find . -name '*.ts' -exec grep -l foo {} +",
	"cd src && git diff HEAD~1 -- a.ts",
	"git log --oneline -5 && git -C sub show HEAD:a.ts | head",
	"node -e 0",
	"node --check a.js",
	"node -e 'console.log(require(\"./package.json\").version)'",
	"python3 -c 'import json,sys; print(json.load(sys.stdin))' < a.json",
	"python3 -m py_compile a.py",
	"npx tsc --noEmit -p .",
	"prettier --check . && eslint src",
	"curl -s https://example.com/x | jq .",
	"sed -n '1,20p' a.ts && sed 's/a/b/' a.ts | head",
	"awk '{ print $1 }' a.txt",
	"git fetch && git push -u origin main && git tag v1 && git config user.name x",
	"git worktree add ../other",
	"pi-grove list && pi-grove search foo",
	"echo $(git rev-parse HEAD) `ls`",
	'for f in *.ts; do wc -l "$f"; done',
	"if [ -f a ]; then echo yes; else echo no; fi",
	"[[ -f a && b > c ]] || echo no",
	'X=$(cat a) && echo "$X"',
	"git reset HEAD a.txt; git restore --staged b.txt; git stash list",
	"diff <(sort a) <(sort b)",
	"while read -r x; do echo $x; done < a.txt",
	"echo $((1 + 2))",
	"chmod +w a",
	"bash -c 'ls -la'",
	"git rm --cached a; git clean -n; git apply --check p.diff",
	"timeout 10 cat a && which node && command -v git",
])("what only reads has no effect: %s", (line) => {
	expect(effectsOf(line)).toEqual([]);
});

test.each<readonly [line: string, ...effects: readonly string[]]>([
	["rm a 'b c'", "rm a", "rm b c"],
	["rm -rf dir ../x", "rm dir", "rm /x"],
	["rm x; ls", "rm x"],
	["node -e 0; rm x", "rm x"],
	["mv a b", "move a b!"],
	["mv a b dir", "move a dir/a", "move b dir/b"],
	["mv a dir/ && ls", "move a dir/a"],
	["mv -n a b", "may a b"],
	["cp a b", "copy a b!"],
	["cp -r src dir", "copy src dir!"],
	["cp -r src/. dir", "may dir"],
	["cp -u a b", "may a b"],
	["mkdir -p a/b && mv c a/b/c", "create a/b/", "move c a/b/c!"],
	["touch a", "create a!"],
	["chmod +x a && chmod 644 b", "+x a", "-x b!"],
	["chmod -R 755 bin", "+x all bin!"],
	["chmod -x a", "-x a!"],
	["ln -s ../a b", "link b -> ../a!"],
	["ln a b", "may a b"],
	["echo x y > a", 'write a "x y\\n"!'],
	["echo -n x >> a", 'append a "x"!'],
	["printf 'a\\nb\\n' > a", 'write a "a\\nb\\n"!'],
	["printf '%s\\n' a b > a", 'write a "a\\nb\\n"!'],
	["printf '%d\\n' 1 > a", "may a"],
	[": > a", 'write a ""!'],
	["> a", 'write a ""!'],
	["echo $X > a", "may a"],
	["ls > a 2> b", "may a", "may b"],
	["make > log.txt 2>&1", "may log.txt", "any"],
	["cat > a <<'EOF'\nx $y\nEOF", 'write a "x $y\\n"!'],
	["cat > a <<EOF\nx\nEOF\nls", 'write a "x\\n"'],
	["cat > a <<EOF\nx $y\nEOF", "may a"],
	["cat <<-'E' >> a && rm b\n\tx\n\tE\n", 'append a "x\\n"', "rm b"],
	["cat <<'EOF' | tee a b\nx\nEOF", 'write a "x\\n"', 'write b "x\\n"'],
	["echo x | tee -a a > /dev/null", 'append a "x\\n"!'],
	["echo x | sudo tee a", 'write a "x\\n"!'],
	["cat a b > c", "may c"],
	["sort -o a.txt a.txt", "any a.txt"],
	["cd dir && rm a", "rm dir/a"],
	["cd /x && cd y && touch a", "create /x/y/a!"],
	["cd dir; touch a", "create dir/a!"],
	["cd /w; touch a", "create a!"],
	["cd dir || exit 1; touch a", "create dir/a!"],
	["cd dir || { echo no; exit 1; }\ntouch a", "create dir/a!"],
	["cd dir || exit 1 && rm a; ls", "rm dir/a"],
	["false || cd dir && touch n", "any"],
	["cd dir || echo no; touch n", "any"],
	["cd dir & touch n", "create n!"],
	["cp -n a b && cd dir; rm c", "may a b", "any"],
	["(cd dir); touch n", "create n!"],
	["if [ -d dir ]; then cd dir; fi; touch n", "any"],
	["(cd dir && rm a) && rm b", "rm dir/a", "rm b"],
	["{ rm a; rm b; }", "rm a", "rm b"],
	["set -e; rm a; rm b", "rm a", "rm b"],
	["git -C sub mv a b", "git move sub/a sub/b!"],
	["git mv a b dir", "git move a dir/a!", "git move b dir/b!"],
	["git rm -qf a b", "git rm a!", "git rm b!"],
	["git rm -r 'src/*.js'", "may src"],
	["git add -A && git commit -qm 'a b'", "add all", "HEAD commit!"],
	["git add a b", "add a b!"],
	["git add .", "add /w!"],
	["git commit -qam 'a'", "add all!", "HEAD commit!"],
	["git commit -m 'fix a' --amend", "HEAD commit!"],
	["git commit -m x a.txt", "add a.txt!", "HEAD commit!"],
	["git commit -m \"$(cat <<'EOF'\nIt's done\n\nEOF\n)\"", "HEAD commit!"],
	["git checkout -- b.txt", "restore b.txt!"],
	["git checkout -- b.txt && python3 x.py", "restore b.txt", "any x.py"],
	["git checkout -- b.txt && python3 -c pass", "restore b.txt"],
	["git checkout HEAD~2 -- a dir", "restore a dir of HEAD~2!"],
	["git checkout HEAD~2 a", "restore a of HEAD~2!"],
	["git checkout .", "restore /w!"],
	["git checkout -- .", "restore /w!"],
	["git checkout a.txt", "any a.txt"],
	["git checkout feature", "HEAD checkout", "may feature"],
	["git checkout -b new", "HEAD checkout!"],
	["git checkout main", "HEAD checkout!"],
	["git restore a", "restore a!"],
	["git restore --source=HEAD~1 a b", "restore a b of HEAD~1!"],
	["git restore -s main --staged --worktree a", "restore a of main!"],
	["git restore -SW a", "restore a of HEAD!"],
	["git stash && git stash pop", "stash", "pop"],
	["git stash push -u -m 'x y'", "stash!"],
	["git stash push -- a.txt", "may a.txt"],
	["git stash apply stash@{1}", "any wide"],
	["git reset --hard", "reset!"],
	["git reset --hard HEAD~1", "reset!"],
	["git merge other; git rebase main", "HEAD merge", "HEAD rebase"],
	["git revert --no-edit HEAD", "HEAD revert"],
	["git cherry-pick -n abc", "any wide"],
	["git clean -fd", "any wide"],
	["git apply p.diff", "any wide"],
	["git switch -c x", "HEAD switch!"],
	["sed -i 's/a/b/' a && sed -i.bak -e '/x/d' -e '3,$d' b", "sed a", "copy b b.bak", "sed b"],
	["sed -i 's/\\(a\\).*/\\1 \\&/;2s/x$//' a", "sed a!"],
	["sed -i -E 's/(a)/b/' a", "may a"],
	["sed -i '/x/,$d' a", "may a"],
	["sed -i 's/a/\\2/' a", "may a"],
	["sed -i '' 's|a|b|g' a", "sed a!"],
	["sed -i 's/a\\|b/c/' a", "may a"],
	["sed -i 's/a/b/e' a", "any a"],
	["sed -n 'w b' a", "any a"],
	["sed -i 's/a/b/' src/*.js", "may src"],
	['sed -i "s/a/$X/" a', "may a"],
	["sed -i '3d' a", "sed a!"],
	["rm *.tmp", "may /w"],
	["rm -rf dist/*", "may dist"],
	["mv src/*.js lib/", "may src lib"],
	["rm {a,b}.ts", "may /w"],
	["rm $X", "any"],
	["rm src/$X.ts", "may src"],
	["D=out; for f in a; do rm $f; done; mkdir $D", "may a", "create out/!"],
	["if true; then D=a; else D=b; fi; rm $D", "any"],
	["D=out; mkdir -p $D && echo x > $D/a", "create out/", 'write out/a "x\\n"!'],
	["for f in a b; do sed -i 's/x/y/' $f; done", "may a", "may b"],
	['for f in src/*.js; do mv "$f" lib/; done', "may src lib"],
	["if true; then rm a; fi", "may a"],
	["f() { rm a; }; f", "may a", "any"],
	["case $x in a) rm b;; *) touch c;; esac", "may b", "may c"],
	["while true; do rm a; break; done", "may a"],
	["eval 'rm a'", "may a"],
	["bash -c 'rm a && mv b c'", "rm a", "move b c!"],
	["bash <<'EOF'\nrm a\nEOF", "rm a"],
	["echo $(rm a)", "may a"],
	["grep -rl x src | xargs sed -i 's/x/y/'", "any wide"],
	["find . -name '*.ts' | xargs -n 1 prettier --write", "any wide"],
	["ls | xargs rm", "any wide"],
	["find src -name '*.tmp' -delete", "may src"],
	["find . -name '*.ts' -exec sed -i 's/a/b/' {} +", "may /w"],
	["find . -name '*.ts' -exec prettier --write {} \\;", "any wide"],
	["prettier --write .", "any wide"],
	["npx prettier --write src/a.ts", "any src/a.ts"],
	["npx eslint --fix src", "any wide"],
	["npm run lint:fix", "any wide"],
	["npm run format", "any wide"],
	["cargo fmt", "any wide"],
	["ruff format a.py", "any a.py"],
	["perl -pi -e 's/a/b/' a.txt b.txt", "any s/a/b a.txt b.txt"],
	["npm test", "any"],
	["npm test 2>&1 | tail -20", "any"],
	["npm test -- test/a.test.ts", "any test/a.test.ts"],
	["pytest tests/a.py", "any tests/a.py"],
	["node scripts/fix.mjs README", "any scripts/fix.mjs README"],
	["node x.js --out=dist/a.js", "any x.js dist/a.js"],
	['node -e \'require("fs").writeFileSync("a.txt", "")\' b.js', "any a.txt b.js"],
	["python3 <<'EOF'\nopen('a.txt','w').write('x')\nEOF", "any a.txt"],
	["pip install x", "any"],
	["rm a || rm b", "?rm a", "?rm b"],
	["rm a & rm b", "rm a", "rm b"],
	["echo x | rm a", "rm a"],
	["! rm a", "may a"],
	["touch 'unclosed a.ts", "any a.ts"],
])("the effects of: %s", (line, ...effects) => {
	expect(effectsOf(line)).toEqual(effects);
});

test.each([
	["cd none && rm a.ts", "bash: line 1: cd: none: No such file or directory"],
	["cd none && rm a\nrm b", "bash: line 1: cd: none: No such file or directory", "rm b"],
	["cd none; rm a", "zsh:cd:1: no such file or directory: none\ncd: no such file or directory: none", "rm a"],
	["cd dir && cd none; rm a", "bash: line 1: cd: none: Not a directory", "rm dir/a"],
	["cd none && rm a || touch b", "sh: 1: cd: can't cd to none", "?create b!"],
	["cd dir && rm a", "bash: line 1: cd: none: No such file or directory", "rm dir/a"],
])("a `cd` that the output says has failed leaves the directory as it is: %s", (line, output, ...effects) => {
	expect(commandEffects(line, "/w", output).map(shownEffect)).toEqual(effects);
});

test("Windows paths stay Windows paths", () => {
	const [first, second, third] = commandEffects(
		"rm src/a.ts && cd sub && mv b /c/x/d && echo x > e",
		"C:\\Users\\bob\\m7",
	);
	expect(first).toMatchObject({ kind: "remove", path: "C:\\Users\\bob\\m7\\src\\a.ts" });
	expect(second).toMatchObject({ kind: "move", from: "C:\\Users\\bob\\m7\\sub\\b", to: "c:\\x\\d" });
	expect(third).toMatchObject({ kind: "write", path: "C:\\Users\\bob\\m7\\sub\\e" });
});

test("where it runs is not known, so is what a name means", () => {
	expect(effectsOf("rm a && rm /x/b && git commit -qam x", "")).toEqual(["any", "rm /x/b", "any"]);
	expect(effectsOf("cd $X && rm a")).toEqual(["any"]);
});

test("a script that could be read in many ways, and a line without end, take no time", () => {
	const scripts = ["p; ", " ", "\n", "[^a]", "[]", "[^]a]", "1,2p;", "a\\\n"].map((part) => part.repeat(1000));
	for (const script of scripts)
		for (const start of ["", "p", "s/", "/", "1"]) commandEffects(`sed -i '${start}${script}x' a`, "/w");
	for (const part of [
		"(",
		"{ ",
		"if true; then ",
		"`",
		"$(",
		"rm a; ",
		"cat <<E\n",
		"a && ",
		"bash -c 'x' | ",
		"'",
		"$(",
	])
		expect(commandEffects(part.repeat(4000), "/w")).not.toEqual([]);
});

test("variables that double, names without end and patterns that match anything take no time", () => {
	expect(effectsOf(`a=xxxxxxxxxxxxxxxx; ${"a=$a$a; ".repeat(40)}rm $a`)).toEqual(["any"]);
	expect(commandEffects(`'${"x".repeat(20_000)}`, "/w")).toHaveLength(1);
	const [effect] = commandEffects("sed -i 's/.*foo.*/x/' a", "/w");
	if (effect?.kind !== "rewrite") throw new Error("it is not followed");
	expect(effect.apply(`${"y".repeat(100_000)}\nwith foo\n`)).toBe(`${"y".repeat(100_000)}\nx\n`);
}, 20_000);

const directory = tempDirOfFile();

/** What is at each path: a file with whether it can be run, or a link. Directories are kept with "/". */
type Disk = Map<string, string>;

function diskAt(root: string, folder = root): Disk {
	const disk: Disk = new Map();
	for (const name of readdirSync(folder)) {
		const path = join(folder, name);
		const stat = lstatSync(path);
		if (name === ".git") continue;
		if (stat.isSymbolicLink()) disk.set(path, `-> ${readlinkSync(path)}`);
		else if (stat.isDirectory())
			for (const [below, text] of [[path, "/"] as const, ...diskAt(root, path)]) disk.set(below, text);
		else disk.set(path, `${(stat.mode & 0o100) !== 0 ? "x" : "-"}${readFileSync(path, "utf8")}`);
	}
	return disk;
}

const isBelow = (path: string, above: string): boolean => path === above || path.startsWith(`${above}/`);
const isCovered = (path: string, effect: PlacedEffect): boolean => {
	const { kind } = effect;
	if (kind === "git")
		return !("paths" in effect) || effect.paths === undefined || effect.paths.some((above) => isBelow(path, above));
	if (kind === "may") return effect.paths === undefined || effect.paths.some((above) => isBelow(path, above));
	if ("from" in effect) return isBelow(path, effect.to) || (kind === "move" && isBelow(path, effect.from));
	return isBelow(path, effect.path) || (kind === "create" && isBelow(effect.path, path));
};

/** Does to a disk in memory what effects say. Its Git knows no more than one commit and one stash. */
class Interpreter {
	readonly disk: Disk;
	readonly index: Disk;
	head: Disk;
	#stash: Disk | undefined;

	constructor(disk: Disk, index: Disk) {
		this.disk = new Map(disk);
		this.index = new Map(index);
		this.head = new Map(index);
	}

	#below(disk: Disk, path: string): readonly (readonly [string, string])[] {
		return [...disk].filter(([name]) => isBelow(name, path));
	}

	/** The directories above are there too. */
	#put(path: string, content: string): void {
		this.disk.set(path, content);
		for (let folder = dirname(path); folder.length > directory.length + 5; folder = dirname(folder))
			this.disk.set(folder, "/");
	}

	do(effect: PlacedEffect): void {
		if (effect.kind === "git") this.#git(effect);
		else if (effect.kind === "write") this.#put(effect.path, `${this.disk.get(effect.path)?.[0] ?? "-"}${effect.text}`);
		else if (effect.kind === "append") this.#put(effect.path, `${this.disk.get(effect.path) ?? "-"}${effect.text}`);
		else if (effect.kind === "create") {
			if (!this.disk.has(effect.path)) this.#put(effect.path, effect.isDirectory ? "/" : "-");
		} else if (effect.kind === "link") this.#put(this.#target(effect.path, effect.target), `-> ${effect.target}`);
		else if (effect.kind === "remove") {
			for (const [path, content] of this.#below(this.disk, effect.path)) {
				if (effect.by === "shell" || content !== "/") this.disk.delete(path);
				if (effect.by === "git") this.index.delete(path);
			}
		} else if (effect.kind === "mode") {
			const content = this.disk.get(effect.path);
			if (content !== undefined && content !== "/")
				this.disk.set(effect.path, `${effect.isExecutable ? "x" : "-"}${content.slice(1)}`);
		} else if (effect.kind === "rewrite") {
			const content = this.disk.get(effect.path) ?? "-";
			this.disk.set(effect.path, `${content[0]}${effect.apply(content.slice(1))}`);
		} else if (effect.kind === "move" || effect.kind === "copy") {
			const to = this.#target(effect.to, effect.from);
			for (const [path, content] of this.#below(this.disk, effect.from)) {
				const mode =
					effect.kind === "copy" && /^[-x]/.test(this.disk.get(to) ?? "") ? this.disk.get(to)?.[0] : content[0];
				this.#put(`${to}${path.slice(effect.from.length)}`, content === "/" ? content : `${mode}${content.slice(1)}`);
				if (effect.kind === "move") this.disk.delete(path);
			}
			for (const [path, content] of effect.by === "git" ? this.#below(this.index, effect.from) : []) {
				this.index.set(`${to}${path.slice(effect.from.length)}`, content);
				this.index.delete(path);
			}
		}
	}

	#target(to: string, from: string): string {
		return this.disk.get(to) === "/" ? join(to, basename(from)) : to;
	}

	#git(effect: PlacedEffect & { readonly kind: "git" }): void {
		const { disk, index, head } = this;
		const takes = (path: string): boolean =>
			!("paths" in effect) || (effect.paths ?? [directory]).some((above) => isBelow(path, above));
		if (effect.does === "add") {
			for (const path of [...index.keys()].filter(takes)) if (!disk.has(path)) index.delete(path);
			for (const [path, content] of disk) if (takes(path) && content !== "/" && true) index.set(path, content);
		} else if (effect.does === "restore") {
			const from = effect.tree === undefined ? index : head;
			for (const [path, content] of from) if (takes(path)) this.#put(path, content);
		} else if (effect.does === "move") this.head = new Map(index);
		else if (effect.does === "pop")
			for (const [path, content] of this.#stash ?? []) content === "" ? disk.delete(path) : this.#put(path, content);
		else {
			const known = new Set([...index.keys(), ...head.keys()]);
			if (effect.does === "stash") this.#stash = new Map([...known].map((path) => [path, disk.get(path) ?? ""]));
			for (const path of known) disk.delete(path);
			index.clear();
			for (const [path, content] of head) {
				this.#put(path, content);
				index.set(path, content);
			}
		}
	}
}

const ROOT = join(directory, "repo");
const name = fc.constantFrom("a", "b.js", "dir/c", "dir/a", "'x y'", "new", "dir/new.js", "other/n");
const folder = fc.constantFrom("dir", "other", ".", "dir/");
const line = (parts: readonly (string | fc.Arbitrary<string>)[]): fc.Arbitrary<string> =>
	fc
		.tuple(...parts.map((part) => (typeof part === "string" ? fc.constant(part) : part)))
		.map((words) => words.join(""));
const scripts = fc.constantFrom(
	...[
		"s/line/x/",
		"s/[0-9]\\+/<&>/g",
		"2d",
		"$d",
		"1,2d",
		"/4/d",
		"/3/,/1/d",
		"2a added",
		"1i\\  before",
		"$!s/$/;/",
		"/line 1/s/e/E/g",
	],
	...[
		"s|l\\(i\\)n|\\1\\1|",
		"s/^line \\(.*\\)$/\\1 \\1/",
		"s/e/E/2",
		"3c other",
		"/2/!d",
		"2,+1s/i/I/",
		"s/\\bl/L/;s/x*$/!/",
		"s/[[:space:]]/_/g",
	],
);
const plain = fc.oneof(
	...[line(["rm ", name]), line(["rm -f ", name]), line(["rm -rf ", fc.constantFrom("dir", "other", "a")])],
	...[
		line(["mv ", name, " ", name]),
		line(["mv ", name, " ", folder]),
		line(["mv dir ", fc.constantFrom("moved", "other")]),
	],
	...[
		line(["cp ", name, " ", name]),
		line(["cp ", name, " ", name, " ", folder]),
		line(["cp -r dir ", fc.constantFrom("copied", "other")]),
	],
	...[
		line(["touch ", name]),
		line(["mkdir -p ", fc.constantFrom("other", "dir/sub/x", "a")]),
		line(["chmod ", fc.constantFrom("+x", "644", "-x", "755"), " ", name]),
	],
	...[
		line(["ln -s ", name, " ", fc.constantFrom("link", "dir/link", "dir")]),
		line(["echo 'x $y' \"z\" >", fc.constantFrom(" ", "> "), name]),
	],
	...[
		line(["cat > ", name, " <<'EOF'\nit's $x\n\nEOF"]),
		line(["cat <<-E | tee -a ", name, " ", name, "\n\tx\n\tE"]),
		line(["printf 'no end' > ", name]),
	],
	...[
		line([": > ", name]),
		line(["sed -i '", scripts, "' ", name]),
		line(["sed -i.bak -e '", scripts, "' -e '", scripts, "' ", name]),
	],
	...[
		line(["sed -n -i '", scripts, ";p' ", name]),
		line(["cd dir && ", fc.constantFrom("rm c", "touch n", "mv a ../up", "cat c")]),
	],
	...[
		line(["(cd dir && rm a) && touch ", name]),
		line(["git rm -qf ", name]),
		line(["git mv ", name, " ", name]),
		line(["git mv dir moved"]),
	],
	...[
		line(["git add ", name]),
		fc.constantFrom("git add -A", "git add -u", "git commit -qam x", "git add . && git commit -qm x", "git checkout ."),
	],
	...[
		line(["git checkout -- ", name]),
		line(["git checkout HEAD -- ", name]),
		line(["git restore ", name]),
		line(["git restore -s HEAD ", name, " dir"]),
	],
	...[
		fc.constantFrom(
			"git stash -q",
			"git stash && git stash pop",
			"git reset -q --hard",
			"git status --short",
			"cat a | head -1",
			"true",
			"ls",
		),
	],
);
const vague = fc.oneof(
	...[
		line(["for f in ", name, " ", name, '; do rm -f "$f"; done']),
		line(["if true; then touch ", name, "; fi"]),
		line(["rm -f d*/*"]),
	],
	...[
		line(["find dir -name 'a' -delete"]),
		line(["sed -i 's/a\\|l/x/' ", name]),
		line(["X=", name, "; cp a $X"]),
		line(["grep -rl line . | xargs sed -i s/line/x/"]),
	],
	...[
		line(["f() { mv ", name, " ", name, "; }; f"]),
		line(['bash -c "echo x > ', name, '"']),
		line(["ls > ", name, " 2>&1"]),
		line(["cd dir; rm -f c a"]),
	],
	...[
		line(["git checkout ", name]),
		line(["cp -n ", name, " ", name]),
		line(["mv *.js dir"]),
		line(['node -e \'fs.writeFileSync("a", "")\'']),
		line(["sort a -o ", name]),
	],
);
const joined = (command: fc.Arbitrary<string>, joins: readonly string[]): fc.Arbitrary<string> =>
	fc
		.tuple(fc.array(command, { minLength: 1, maxLength: 4 }), fc.constantFrom(...joins))
		.map(([commands, join]) =>
			commands.reduce((text, next) => `${text}${text.includes("<<") && join !== "\n" ? "\n" : join}${next}`),
		);

function prepare(): Disk {
	rmSync(ROOT, { recursive: true, force: true });
	const repository = new GitRepository(ROOT);
	for (const [index, path] of ["a", "b.js", "dir/c", "dir/a", "x y"].entries()) {
		mkdirSync(dirname(join(ROOT, path)), { recursive: true });
		const lines = Array.from({ length: index + 2 }, (_, number) => `line ${number * (index + 1)} end\n`).join("");
		writeFileSync(join(ROOT, path), index === 1 ? lines.trimEnd() : lines);
		if (index === 2) chmodSync(join(ROOT, path), 0o755);
	}
	repository.git("add", "-A");
	repository.git("commit", "-qm", "first");
	return diskAt(ROOT);
}

const environment = {
	...process.env,
	...{ GIT_AUTHOR_NAME: "J", GIT_AUTHOR_EMAIL: "j@x", GIT_COMMITTER_NAME: "J", GIT_COMMITTER_EMAIL: "j@x" },
	...{ GIT_CONFIG_GLOBAL: "/dev/null", GIT_CONFIG_NOSYSTEM: "1" },
};

test("what a real shell changes on a real disk is what the effects say", () => {
	const start = prepare();
	const tracked = new Map([...start].filter(([, content]) => content !== "/"));
	const saved = join(directory, "saved");
	cpSync(ROOT, saved, { recursive: true, preserveTimestamps: true });
	const runCount = Number(process.env.RUNS ?? 50);
	const counts = { exact: 0, failed: 0 };
	const any = fc.oneof(
		{ weight: 3, arbitrary: joined(plain, [" && ", " && ", "; ", "\n", " || "]) },
		{ weight: 1, arbitrary: joined(fc.oneof(plain, vague), [" && ", "; "]) },
	);
	fc.assert(
		fc.property(any, (text) => {
			rmSync(ROOT, { recursive: true });
			cpSync(saved, ROOT, { recursive: true, preserveTimestamps: true });
			const { status } = spawnSync("bash", ["-ec", text], { cwd: ROOT, env: environment });
			const disk = diskAt(ROOT);
			const effects = commandEffects(text, ROOT);
			const changed = [...new Set([...start.keys(), ...disk.keys()])].filter(
				(path) => start.get(path) !== disk.get(path),
			);
			const files = changed.filter((path) => disk.get(path) !== "/" && start.get(path) !== "/");
			expect(files.filter((path) => !effects.some((effect) => isCovered(path, effect)))).toEqual([]);
			if (status !== 0 && effects.every(({ ifFailed }) => ifFailed === "no")) {
				counts.failed++;
				expect(files).toEqual([]);
			}
			if (status !== 0 || effects.some((effect) => effect.kind === "may" || effect.ifSucceeded !== "yes")) return;
			counts.exact++;
			const interpreter = new Interpreter(start, tracked);
			for (const effect of effects) interpreter.do(effect);
			const withoutFolders = (from: Disk): Disk =>
				new Map([...from].filter(([, content]) => content !== "/").toSorted());
			expect(withoutFolders(interpreter.disk)).toEqual(withoutFolders(disk));
		}),
		{ numRuns: runCount, seed: SEED, endOnFailure: false },
	);
	expect(counts.exact).toBeGreaterThan(runCount / 6);
	expect(counts.failed).toBeGreaterThan(0);
});

const SEED = Number(process.env.SEED ?? 1);
