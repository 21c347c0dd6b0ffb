import type { Found } from "./found.ts";
import { isOrdinary, isPlaceholder, isScrambled, looksRandom, variesAsSecrets } from "./looks-secret.ts";

/** Names whose values are secret; "tokens" and "tokenId" are none. */
const NAME =
	"passw(?:or)?d|passphrase|passcode|passwort|kennwort|contraseña|mot de passe|пароль|密码|pwd|pass(?<![a-z]pass)|[_-]pw|psk(?<![a-z]psk)|secret[-_ ]?key[-_ ]?base|secret|token|mnemonic|[_-](?:pat|auth)|_cookie|phpsessid|jsessionid|sessid|asp\\.net_sessionid|jwt(?<![a-z]jwt)|credentials?|connection[-_ ]?string|(?:api|app|secret|access|private|preshared|pre-shared|encryption|signing|master|account|auth|service|storage|shared|client|deploy|webhook|license|session|admin|subscription|server|rest|write|functions|key)[-_ ]?key|client-key-data";

/** What may stand around a name and its value as Markdown or a quoted text has it: "**name:** `value`". */
const MARKS = String.raw`["'\x60*\])]{0,4}`;
/**
 * What stands between a name and its value: "=", ":", "=>"; "name, value" and "name(value)" in quotes; as XML, a row of a
 * table, and lists of names and values have it. A line that begins with "|" is not a row of a table but part of a union of types.
 */
const BETWEEN = String.raw`${MARKS}\s{0,3}(?:["']?\s{0,2},?\s{0,40}["']?value["']?\s{0,3}[:=]|=>|:=|={1,2}|:|(?<=["'])\s?,(?=\s?["'])|\((?=["'])|[ \t]\|(?<!\n\s{0,4}\|)[ \t]|>(?=[^\s<>"']{4,200}<\/))\*{0,2}\s{0,3}(?:[&|>]-?\s{1,20})?`;
/** A value: in quotes, backticks or bold; else up to what ends a word. */
const VALUE = String.raw`(?:(?<quote>["'\x60]|\*\*[\x60"']?)(?<quoted>[^\s"'\x60]{4,1000}?)(?=["'\x60]|\*\*)|(?<bare>[^\s"'\x60\\,;(){}\[\]<>&|$]{4,1000})(?=$|[\s"'\x60\\,;)}\]<>&|]))`;

const ASSIGNED = new RegExp(`(?<name>${NAME})(?<between>${BETWEEN})${VALUE}`, "gi");
/** "the password for the database is …" */
const SAID = new RegExp(
	String.raw`\b(?<name>password|passphrase|passcode|passwort|secret|token|api[- ]key|access[- ]key|pin|pw)\b${MARKS}(?:\s(?:for|of|to|on)\s[^\n.:]{1,40}?)?\s(?:is|was|ist|to|as|will be|has been changed to)(?:\s(?:now|still|set to))?:?\s(?<quote>\*\*[\x60"']?|["'\x60]{0,2})(?<value>[^\s"'\x60]{4,300})`,
	"gi",
);

export function* findAssigned(text: string): Generator<Found> {
	for (const match of text.matchAll(ASSIGNED)) {
		const { name = "", between = "", quote, quoted, bare = "" } = match.groups ?? {};
		const value = quoted ?? withoutMarks(bare);
		const from = match.index + name.length + between.length + (quote?.length ?? 0);
		const textBefore = text.slice(Math.max(0, match.index - 30), match.index);
		const textAfter = text.slice(from + value.length, from + value.length + 2);
		const isMeant =
			quoted === undefined
				? isBareSecret(textBefore, name, between, value, textAfter)
				: isQuotedSecret(textBefore, name, quoted, between);
		if (isMeant) yield { kind: kindOf(name), from, to: from + value.length };
	}
	for (const { 0: whole, index, groups } of text.matchAll(SAID)) {
		const { name = "", quote = "", value = "" } = groups ?? {};
		const from = index + whole.length - value.length;
		const secret = withoutMarks(value);
		if (isSaidSecret(name, secret, quote !== "")) yield { kind: kindOf(name), from, to: from + secret.length };
	}
}

/** Whether a text is secret because of the name of the field that it is in. */
export function isSecretField(name: string, value: string): boolean {
	if (value.length < 6 || /\s/.test(value)) return false;
	const [, before = "", own] = FIELD.exec(name) ?? [];
	return own !== undefined && isQuotedSecret(before, own, value, ":");
}

const FIELD = new RegExp(`^(.{0,100})(${NAME})$`, "i");

/** A value without the marks and the punctuation that end it: of Markdown, a sentence, a list. */
function withoutMarks(value: string): string {
	const marks = /(?:\*\*|__|["'`.,;:)\]}>])+$/.exec(value.slice(-8))?.[0].length ?? 0;
	return value.slice(0, value.length - marks);
}

function kindOf(name: string): "password" | "token" | "key" {
	if (/(?:token|cookie|jwt|pat|sess(?:ion)?id)$/i.test(name)) return "token";
	return /(?:key|key-data)$/i.test(name) ? "key" : "password";
}

/** Tokens that are not secret: of pages of a list, of parsers, public ones, paths. */
const HARMLESS =
	/(?:next|prev(?:ious)?|page|continuation|sync|eos|bos|pad|unk|stop|start|end|first|last|current|public|cache|design|old|question|colon|comma|syntax|by)[-_ ]?$/i;

function isPassword(name: string): boolean {
	return /^(?:pass|pwd|[_-]pw|psk|kennwort|contra|mot|парол|密码|credential)/i.test(name);
}

function isQuotedSecret(before: string, name: string, value: string, between: string): boolean {
	if (HARMLESS.test(before) || isPlaceholder(value) || value.length < 6 || isOrdinary(value)) return false;
	// A list of types, as a program has it; what stands in a row of a table has no quotes.
	if (between.includes("|") && /["']/.test(between)) return false;
	// What stands behind a comma or in brackets is more often something else.
	if (/[,(]\s?$/.test(between) || between.includes("|")) return value.length >= 8 && variesAsSecrets(value);
	// "pass" is also what a test does.
	if (/^pass$/i.test(name) && /^[a-z]+$/.test(value)) return false;
	if (isPassword(name)) return !/^[a-z]+$/.test(value) || value.length < 16;
	return value.length >= 8 && looksRandom(value) && !/^\W[A-Za-z]+$/.test(value);
}

/** "options.token", and what is left of "Pass::doFinalization" behind its first colon. */
const QUALIFIED_NAME = /^:?[A-Za-z_$~][\w$~]*(?:(?:\??\.|::|->)[A-Za-z_$~][\w$~]*)*[!?]?$/;

/** A word without quotes may be code: "token = next", "password: string". In the settings of an environment it is a value. */
function isBareSecret(before: string, name: string, between: string, value: string, after: string): boolean {
	if (HARMLESS.test(before) || isPlaceholder(value) || isOrdinary(value)) return false;
	if (isScrambled(value)) return true;
	if (between.includes("|") || between.includes("==")) return value.length >= 8 && variesAsSecrets(value);
	const isSetting = name === name.toUpperCase() && between === "=";
	if (isSetting) return value.length >= 6 && (isPassword(name) || name === "SECRET" || looksRandom(value));
	if (QUALIFIED_NAME.test(value) && !isNoName(value, isPassword(name), after)) return false;
	return isPassword(name) ? value.length >= 6 && /[^A-Za-z_.]/.test(value) : value.length >= 10 && looksRandom(value);
}

/** Digits that names have: of formats, versions and numbers at their end. */
const NAME_DIGITS =
	/base(?:16|32|58|64)|utf(?:8|16|32)|md[45]|sha\d{1,3}|s3|ec2|k8s|i18n|oauth2?|x509|p12|pkcs\d+|ipv[46]|v\d+|h[12]|ed25519|argon2|rs256|hs256|es256|u?int(?:8|16|32|64)|float(?:32|64)|0x|2fa|auth0|web3|\d{1,2}$/gi;

/** Whether what looks like the name of a variable has digits as none has; where nothing of a program follows one digit is enough. */
function isNoName(value: string, isPassword: boolean, after: string): boolean {
	const digits = value.replace(/\D/g, "").length;
	if (digits >= 3) return true;
	if (!isPassword || digits === 0 || /pass|pwd|secret|token|user|key|value|input|hash|arg|param|field/i.test(value))
		return false;
	if (/\d/.test(value.replace(NAME_DIGITS, "")) || value.endsWith("!")) return true;
	return value.length >= 7 && /^(?:$|\s|[`"'*])/.test(after);
}

/** Whether a value in a sentence is one, not a word of the sentence. */
function isSaidSecret(name: string, value: string, isQuoted: boolean): boolean {
	if (value.length < 4 || isPlaceholder(value) || isOrdinary(value) || /^[A-Za-z]+[-'’][A-Za-z-]+$/.test(value))
		return false;
	if (isQuoted)
		return isPassword(name) ? value.length >= 6 && !/^[a-z_]+$/.test(value) : looksRandom(value) && value.length >= 8;
	return value.length >= 6 && variesAsSecrets(value);
}
