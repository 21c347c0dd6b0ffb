import { readdirSync, statSync } from "node:fs";
import type { CatalogProblem } from "../../catalog/model/event.ts";
import { attempt } from "../../shared/attempt.ts";
import { basename, join, resolvePath } from "../../shared/paths.ts";
import { readTextFile } from "../../store/files/open-file.ts";
import { explain } from "../../store/files/store-error.ts";
import { type Fields, fieldsOf } from "../../store/format/fields.ts";
import { parseJson } from "../../store/format/parse.ts";
import type { Palette } from "../../ui/theme/palette.ts";
import { parsePiTheme } from "../../ui/theme/pi-theme.ts";
import { isDark } from "../../ui/theme/rgb.ts";
import type { ThemeChoice } from "../../ui/theme/theme-choice.ts";

export interface PiSettings {
	readonly dir: string;
	/** Its fields; empty if it cannot be read. */
	readonly fields: Fields;
}

/**
 * Reads pi's settings files (pi 1.5.2, docs/settings.md) in order of precedence: the project's, `<cwd>/.pi/settings.json`,
 * then the person's, `<agentDir>/settings.json`. Never throws: a file that cannot be read is reported by the search for the
 * session directory, which reads it, too.
 */
export function readPiSettings(cwd: string, agentDir: string): readonly PiSettings[] {
	return [join(cwd, ".pi"), agentDir].map((dir) => ({ dir, fields: readFields(join(dir, "settings.json")) }));
}

function readFields(path: string): Fields {
	return fieldsOf(attempt(() => parseJson(readTextFile(path).replace(/^\uFEFF/, ""))));
}

export interface ReadTheme {
	readonly choice: ThemeChoice;
	readonly problems: readonly CatalogProblem[];
}

/** pi's theme made from the terminal's colors, as pi-grove's own is. */
const SYSTEM = "system";

/**
 * Reads the theme named in pi's settings (pi 1.5.2, docs/themes.md): `theme`, from the `themes` directories beside the settings
 * files and the files that the setting `themes` names. For pi's built-in "dark" and "light", pi-grove's own colors of that
 * brightness are used; "light/dark" names one theme for each. Never throws.
 */
export function readPiTheme(settings: readonly PiSettings[]): ReadTheme {
	const name = settings.map(({ fields }) => fields.theme).find((theme) => typeof theme === "string");
	if (name === undefined || name === SYSTEM) return { choice: {}, problems: [] };
	const problems: CatalogProblem[] = [];

	function load(themeName: string): { readonly dark?: boolean | undefined; readonly palette?: Palette | undefined } {
		if (themeName === "dark" || themeName === "light") return { dark: themeName === "dark" };
		if (themeName === SYSTEM) return {};
		const { path, text, reason } = findTheme(themeName, settings);
		const report = (sentence: string): void => {
			problems.push({ path, message: `theme "${themeName}": ${sentence} (${path})` });
		};
		if (text === undefined) {
			// Only pi knows what is in its packages.
			if (reason !== undefined) report(`It cannot be read: ${reason}. The default colors apply.`);
			else if (!settings.some(hasPackages))
				report('There is no such theme. Correct "theme" in pi\'s settings; until then the default colors apply.');
			return {};
		}
		const parsed = parsePiTheme(text);
		for (const sentence of parsed.problems) report(parsed.palette ? sentence : `${sentence} The default colors apply.`);
		return { dark: parsed.palette && isDark(parsed.palette.background), palette: parsed.palette };
	}

	const [forLight = "", forDark, ...more] = name.split("/").map((part) => part.trim());
	if (forDark === undefined) {
		const { dark, palette } = load(forLight);
		return { choice: { dark, onDark: palette, onLight: palette }, problems };
	}
	if (more.length > 0 || forLight === "" || forDark === "") return { choice: {}, problems };
	return { choice: { onDark: load(forDark).palette, onLight: load(forLight).palette }, problems };
}

function hasPackages({ fields: { packages } }: PiSettings): boolean {
	return Array.isArray(packages) && packages.length > 0;
}

/** The directories that may contain themes, and the theme files named in the settings. */
function themePaths({ dir, fields: { themes } }: PiSettings): string[] {
	const named = Array.isArray(themes) ? themes.filter((each) => typeof each === "string") : [];
	return [join(dir, "themes"), ...named.map((path) => resolvePath(path, dir))];
}

interface FoundTheme {
	readonly path: string;
	readonly text?: string;
	readonly reason?: string;
}

function findTheme(name: string, settings: readonly PiSettings[]): FoundTheme {
	const files = settings.flatMap(themePaths).flatMap(filesIn);
	const hasName = (path: string): boolean => basename(path) === `${name}.json`;
	for (const path of files.toSorted((a, b) => Number(hasName(b)) - Number(hasName(a)))) {
		try {
			const text = readTextFile(path);
			if (hasName(path) || nameIn(text) === name) return { path, text };
		} catch (error) {
			if (hasName(path)) return { path, reason: explain(error) };
		}
	}
	return { path: join(settings.at(-1)?.dir ?? "", "themes", `${name}.json`) };
}

/** The JSON files in a directory; of a file, the file itself. */
function filesIn(path: string): string[] {
	try {
		if (statSync(path).isFile()) return [path];
		return readdirSync(path)
			.filter((file) => file.endsWith(".json"))
			.map((file) => join(path, file));
	} catch {
		return [];
	}
}

function nameIn(text: string): unknown {
	return fieldsOf(parseJson(text.replace(/^\uFEFF/, ""))).name;
}
