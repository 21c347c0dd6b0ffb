import { systemOf } from "../../shared/system.ts";
import type { Found } from "./found.ts";
import { asPattern } from "./words.ts";

/** What a name of a user is made of, as part of a path. */
const NAME = String.raw`[A-Za-z0-9_.][A-Za-z0-9_.\-]{0,62}`;
/** A slash, in one of the forms that it has in texts: a backslash may be written twice or four times. */
const SLASH = String.raw`(?:/|\\{1,4}|%2[Ff]|%5[Cc])`;

/** A home directory with something below it, of any system; "https://host/home/news" is an address, and none. */
const ANY_HOME = new RegExp(
	String.raw`(?:(?<![A-Za-z0-9_.~/%-])|(?<=file://)|(?<=\\[nrt])|(?<=%3[AaDd])|(?<=/mnt/[a-z]|(?<![A-Za-z0-9_.~/%-])/[a-z])|(?<=\x1b\[[\d;]{0,20}m))(?:/(?:home|Users)/(?<unix>${NAME})(?=/)|%2[Ff](?:home|Users)%2[Ff](?<encoded>${NAME})(?=%2[Ff])|(?:[A-Za-z]:${SLASH}[Uu]sers|${SLASH}Users)${SLASH}(?<windows>${NAME}))(?![A-Za-z0-9_-])`,
	"g",
);
/** What stands for a slash in any form of a home directory. */
const SLASHES = /[/\\%]|--/;
/** Names that do not identify a person. */
const NOBODY: ReadonlySet<string> = new Set(
	"Shared Public Default linuxbrew you user username USER USERNAME .. .".split(" "),
);

/** Names that many machines have, of which nobody is known by one. */
const COMMON: ReadonlySet<string> = new Set(
	"root admin administrator ubuntu debian ec2-user centos fedora pi node user home dev app www-data runner vscode codespace git test guest core vagrant docker jovyan coder build ci deploy src work tmp data".split(
		" ",
	),
);

/** The user that a home directory belongs to; undefined for a name that says nothing, or that any word may be. */
function userOf(home: string): string | undefined {
	const name = home.split(/[/\\]/).at(-1) ?? "";
	return name.length < 3 || NOBODY.has(name) || COMMON.has(name.toLowerCase()) ? undefined : name;
}

/**
 * Finds home directories: those that are known, whatever they look like, and what looks like one. Of a known one also its user's name,
 * before a host ("ada@10.0.0.7") and as a name in any other path ("/media/ada/disk").
 */
export class HomeFinder {
	readonly #known: RegExp | undefined;
	/** Whether each known one has a slash, as the homes of all systems have. */
	readonly #haveSlashes: boolean;

	/** The names of users as they are looked for, and the words that must be in a text. */
	readonly #users: RegExp | undefined;
	readonly #names: readonly string[];

	/** `homes`: home directories that are known, without a slash at their end. */
	constructor(homes: readonly string[]) {
		const forms = [...new Set(homes)].filter((home) => home.length > 1).flatMap(formsOf);
		this.#haveSlashes = homes.every((home) => /[/\\]/.test(home));
		this.#names = [...new Set(homes.flatMap((home) => userOf(home) ?? []))];
		const names = this.#names.map(asPattern).join("|");
		if (names !== "")
			this.#users = new RegExp(
				String.raw`(?<![A-Za-z0-9_.+-])(?:${names})(?=@[\w[])|(?<=[/\\]|%2[Ff]|%5[Cc]|:(?=[^\s/]{1,64}/))(?:${names})(?![\w.@-])`,
				"g",
			);
		if (forms.length === 0) return;
		const sources = forms.toSorted((one, other) => other.length - one.length);
		const flags = homes.some((home) => systemOf(home).ignoresCase) ? "gi" : "g";
		this.#known = new RegExp(`(?<![A-Za-z0-9_.~-])(?:${sources.join("|")})(?![A-Za-z0-9_])`, flags);
	}

	*find(text: string): Generator<Found> {
		if (this.#users !== undefined && this.#names.some((name) => text.includes(name)))
			for (const match of text.matchAll(this.#users))
				yield { kind: "user", from: match.index, to: match.index + match[0].length };
		if (this.#haveSlashes && !SLASHES.test(text)) return;
		if (this.#known !== undefined) {
			for (const match of text.matchAll(this.#known))
				yield { kind: "home", from: match.index, to: match.index + match[0].length };
		}
		for (const match of text.matchAll(ANY_HOME)) {
			const { unix, encoded, windows } = match.groups ?? {};
			if (NOBODY.has(unix ?? encoded ?? windows ?? "")) continue;
			yield { kind: "home", from: match.index, to: match.index + match[0].length };
		}
	}
}

/** A home directory as it may be written, as patterns; also as pi names the folders of its sessions: "--home-ada-work--". */
function formsOf(home: string): string[] {
	const folder = home.replace(/^[/\\]/, "").replace(/[/\\:]/g, "-");
	const forms = [home, encodeURIComponent(home.toWellFormed()), home.replaceAll("\\", "\\\\")].map(asPattern);
	// "--root" is an option of many programs.
	return folder.includes("-") ? [...forms, `${asPattern(`--${folder}`)}(?=-)`] : forms;
}
