/** Languages of file extensions and names that highlight.js does not know. */
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

/** The language of a file by its extension, or by a name such as "Makefile"; undefined if neither can be one. */
export function languageOfPath(path: string): string | undefined {
	const name = path.slice(-256).split(/[\\/]/).at(-1)?.toLowerCase() ?? "";
	const ending = name.slice(name.lastIndexOf(".") + 1);
	if (!/^[a-z0-9+#_-]+$/.test(ending)) return undefined;
	return LANGUAGES.get(ending) ?? ending;
}
