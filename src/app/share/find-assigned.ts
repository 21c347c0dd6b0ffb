import type { Found } from "./finding-kinds.ts";
import { isPlaceholder, looksRandom } from "./looks-secret.ts";

/** Names whose values are secret; "tokens" and "tokenId" are none. */
const NAME =
	"passw(?:or)?d|passphrase|passwort|pwd|secret|token|credentials?|connection[-_ ]?string|(?:api|app|secret|access|private|encryption|signing|master|account|auth|service|storage|shared|client|deploy|webhook)[-_ ]?key";

/**
 * A name, what stands between it and its value, and the value: in quotes, which may themselves be in a quoted text; else up
 * to what ends a word.
 */
const ASSIGNED = new RegExp(
	String.raw`(?<name>${NAME})(?<between>\\?["'\]]{0,2}\s{0,3}(?:=>|:=|[:=])\s{0,3})(?:(?<quote>\\?["'\x60])(?<quoted>[^\s"'\x60\\]{4,1000})(?=\\?["'\x60])|(?<bare>[^\s"'\x60\\,;(){}\[\]<>&|$]{4,1000})(?=$|[\s"'\\,;)}\]<>&|]))`,
	"gi",
);
const OPTION = new RegExp(
	String.raw`--[a-z-]{0,30}(?:${NAME})(?:=|\s{1,3})(?<quote>["']?)(?<value>[^\s"'\x60\\]{4,1000})`,
	"gi",
);
/** "curl -u name:password" */
const USER_OPTION = /\bcurl\b[^\n]{0,500}?\s(?:-u|--user)[ =]["']?[\w.@%+-]{1,100}:(?<value>[^\s"'@]{4,200})/g;
/** "mysql -psecret", "sshpass -p secret" */
const SSHPASS = /\bsshpass\s+-p\s*["']?(?<value>[^\s"']{3,200})/g;

/** The values in a text that a name, an option or a setting calls secret. */
export function* findAssigned(text: string): Generator<Found> {
	for (const match of text.matchAll(ASSIGNED)) {
		const { name = "", between = "", quote, quoted, bare = "" } = match.groups ?? {};
		const value = quoted ?? bare;
		const from = match.index + name.length + between.length + (quote?.length ?? 0);
		const before = text.slice(Math.max(0, match.index - 30), match.index);
		const isMeant =
			quoted === undefined ? isBareSecret(before, name, between, bare) : isQuotedSecret(before, name, quoted);
		if (isMeant) yield { kind: kindOf(name), from, to: from + value.length };
	}
	for (const pattern of [OPTION, USER_OPTION, SSHPASS]) {
		for (const match of text.matchAll(pattern)) {
			const value = match.groups?.value ?? "";
			if (isPlaceholder(value) || !/[^A-Za-z.,:;]/.test(value)) continue;
			const to = match.index + match[0].length;
			yield { kind: "password", from: to - value.length, to };
		}
	}
}

/** Whether a text is secret because of the name of the field that it is in. */
export function isSecretField(name: string, value: string): boolean {
	const [found] = name.matchAll(FIELD);
	return found !== undefined && !/\s/.test(value) && isQuotedSecret(found[1] ?? "", found[2] ?? "", value);
}

const FIELD = new RegExp(`^(.{0,100})(${NAME})$`, "gi");

function kindOf(name: string): "password" | "token" | "key" {
	if (/token$/i.test(name)) return "token";
	return /key$/i.test(name) ? "key" : "password";
}

/** Tokens that are no secrets: where a list goes on, and what a parser reads. */
const HARMLESS =
	/(?:next|prev(?:ious)?|page|continuation|sync|eos|bos|pad|unk|stop|start|end|first|last|current|public|cache|design)[-_ ]?$/i;

function isPassword(name: string): boolean {
	return /^(?:pass|pwd|credential)/i.test(name);
}

function isQuotedSecret(before: string, name: string, value: string): boolean {
	if (HARMLESS.test(before) || isPlaceholder(value) || value.length < 6) return false;
	return isPassword(name) ? !/^[a-z]+$/.test(value) || value.length < 16 : value.length >= 8 && looksRandom(value);
}

/** A word without quotes may be code: "token = next", "password: string". In the settings of an environment it is a value. */
function isBareSecret(before: string, name: string, between: string, value: string): boolean {
	if (HARMLESS.test(before) || isPlaceholder(value)) return false;
	const isSetting = name === name.toUpperCase() && between === "=";
	if (isSetting) return value.length >= 6 && (isPassword(name) || name === "SECRET" || looksRandom(value));
	// A name has few digits.
	if (/^[A-Za-z_$][\w$]*(?:\??\.[A-Za-z_$][\w$]*)*[!?]?$/.test(value) && value.replace(/\D/g, "").length < 3)
		return false;
	return isPassword(name) ? value.length >= 6 && /[^A-Za-z_.]/.test(value) : value.length >= 10 && looksRandom(value);
}
