/** Languages of files whose ending, or name, highlight.js does not know as the name of one. */
const LANGUAGES: ReadonlyMap<string, string> = new Map([
	["bashrc", "bash"],
	["containerfile", "dockerfile"],
	["cts", "typescript"],
	["editorconfig", "ini"],
	["env", "ini"],
	["gemfile", "ruby"],
	["gitconfig", "ini"],
	["gnumakefile", "makefile"],
	["htm", "xml"],
	["ipynb", "json"],
	["jsonl", "json"],
	["kts", "kotlin"],
	["mts", "typescript"],
	["profile", "bash"],
	["rakefile", "ruby"],
	["vue", "xml"],
	["webmanifest", "json"],
	["zshrc", "bash"],
]);

/** The language of a file by its ending, or its name where that says it: "Makefile". Undefined where neither does. */
export function languageOfPath(path: string): string | undefined {
	const name = path.slice(-256).split(/[\\/]/).at(-1)?.toLowerCase() ?? "";
	const ending = name.slice(name.lastIndexOf(".") + 1);
	if (!/^[a-z0-9+#_-]+$/.test(ending)) return undefined;
	return LANGUAGES.get(ending) ?? ending;
}
