/** What a script must not mention if it is to read only; `process.stdout.write` is none of it. */
const WRITES =
	/write|append|rename|unlink|\brm|remove|\bcp\b|copy|mkdir|symlink|\blink|chmod|truncate|spawn|exec|system|subprocess|popen|\bos\.|shutil|fs\/promises|eval|Function\b|__import__|importlib|getattr|import\s*\(|\bdump\(|save|touch|openSync|createWrite|process\.binding|\.open\(|to_(?:csv|json|excel)|socket|fetch\(/i;
/** Modules that write nothing by themselves. */
const NODE_MODULES = /^(?:node:)?(?:fs|path|util|os|url|crypto|assert|zlib|buffer|perf_hooks)$|\.json$/;
const PYTHON_MODULES = new Set(
	(
		"json sys re math time datetime collections itertools functools random string textwrap base64 hashlib ast pprint platform urllib " +
		"decimal statistics struct difflib inspect typing glob pathlib csv operator enum dataclasses unicodedata io"
	).split(" "),
);
const PERL_WRITES =
	/open|system|exec|`|qx|unlink|rename|mkdir|rmdir|link|chmod|utime|truncate|syswrite|socket|\bdo\s*[("']|require|eval|\buse\s+(?!strict|warnings|utf8|List::Util|Data::Dumper|POSIX)/;

/** Whether a script that an interpreter is given in its words can only read. The answer is no wherever more could be meant. */
export function isReadingScript(interpreter: string, script: string): boolean {
	if (interpreter === "perl") return !PERL_WRITES.test(script);
	const text = script.replace(/\bstd(?:out|err)\.write\b/g, "");
	if (WRITES.test(text)) return false;
	if (/^python/.test(interpreter)) {
		const modules = [...text.matchAll(/\bfrom\s+([\w.]+)\s+import\b|(?<!from\s+[\w.]+\s+)\bimport\s+([^\n;]+)/g)];
		const names = modules.flatMap(
			([, from, list = ""]) => from ?? list.split(",").map((name) => name.trim().split(/\s/)[0] ?? ""),
		);
		const isReading = /\bopen\s*\(\s*[^(),]+(?:,\s*(?:["']rb?["']|encoding=["'][\w-]+["']))*\s*\)/g;
		const opened = text.match(/\bopen\s*\(/g)?.length ?? 0;
		return (
			names.every((name) => PYTHON_MODULES.has(name.split(".")[0] ?? "")) &&
			(text.match(isReading)?.length ?? 0) === opened
		);
	}
	if (!/^(?:node|nodejs|deno|bun)$/.test(interpreter)) return false;
	const modules = [
		...text.matchAll(/\brequire\s*\(\s*(?:(["'])([^"']*)\1\s*\))?|\b(?:from|import)\s+(?:(["'])([^"']*)\3)?/g),
	];
	return modules.every(([whole, , required, , imported]) =>
		/^import\s+$/.test(whole) ? true : NODE_MODULES.test(required ?? imported ?? ""),
	);
}

/** The texts in quotes of a script. */
export function stringsOf(script: string): readonly string[] {
	return [...script.matchAll(/(["'`])((?:(?!\1)[^\\\n]){1,250})\1/g)].flatMap(([, , string]) => string ?? []);
}
