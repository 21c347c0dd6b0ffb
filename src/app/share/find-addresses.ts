import type { Found } from "./finding-kinds.ts";
import { isPlaceholder } from "./looks-secret.ts";

/** "scheme://name:password@host", or only a long name, which is a token. */
const IN_URL = /:\/\/(?:[^\s:@/"'`<>\\]{0,100}:(?<password>[^\s@/"'`<>]{2,300})|(?<token>[A-Za-z0-9_.~-]{20,300}))@/g;
const HEADER =
	/\bauthorization\b["']{0,2}\s{0,3}[:=,]\s{0,3}["'`]{0,1}(?:(?:bearer|basic|token|apikey|digest|negotiate)\s{1,3})?(?<value>[A-Za-z0-9_.~+/=:-]{8,4096})/gi;
const BEARER = /\bbearer\s{1,3}(?<value>[A-Za-z0-9_.~+/=-]{16,4096})/gi;
const COOKIE = /\b(?:set-)?cookie["']{0,2}\s{0,2}:\s{0,2}["']{0,1}(?<value>[^\s"'=;]{1,100}=[^\r\n"'\\]{6,4096})/gi;
const ACCOUNT_KEY = /\b(?:AccountKey|SharedAccessKey|sig)=(?<value>[A-Za-z0-9+/%]{40,}={0,2})/g;

/** What stands in an address, a header or a connection as the proof of who one is. */
export function* findProofs(text: string): Generator<Found> {
	for (const match of text.matchAll(IN_URL)) {
		const { password, token = "" } = match.groups ?? {};
		const value = password ?? token;
		const to = match.index + match[0].length - 1;
		if (!isPlaceholder(value))
			yield { kind: password === undefined ? "token" : "password", from: to - value.length, to };
	}
	for (const pattern of [HEADER, BEARER, COOKIE, ACCOUNT_KEY]) {
		for (const match of text.matchAll(pattern)) {
			const value = match.groups?.value ?? "";
			const to = match.index + match[0].length;
			const isMeant = pattern === COOKIE || /\d/.test(value) || value.length >= 40;
			if (isMeant && !isPlaceholder(value)) yield { kind: "token", from: to - value.length, to };
		}
	}
}

/** UTF-16 units before the "@" of a mail address, and behind it (RFC 5321, 4.5.3.1). */
const LONGEST_NAME = 64;
const LONGEST_HOST = 255;
const NAME = /[\p{L}\p{N}._%+'-]{1,64}$/u;
const HOST =
	/^(?:[\p{L}\p{N}](?:[\p{L}\p{N}-]{0,62}[\p{L}\p{N}])?\.)+(?<top>\p{L}{2,24}|xn--[a-z0-9-]{2,59})(?![\p{L}\p{N}-])/u;
/** Nobody's: examples, and programs that never read what they are sent. */
const NOBODY = /(?:^|\.)(?:example\.(?:com|net|org|edu)|example|test|invalid|localhost|local)$/i;
const NO_PERSON = /^(?:git|hg|svn|no-?reply|do-?not-?reply|mailer-daemon|postmaster)$/i;
/** What ends a file's name, not a host's: "icon@2x.png". */
const FILE_ENDING =
	/^(?:png|jpe?g|gif|svg|webp|ico|css|scss|less|html?|jsx?|tsx?|mjs|cjs|mts|cts|json|ya?ml|toml|lock|md|txt|log|py|rb|rs|go|java|kt|swift|sh|vue|tgz|zip|gz|xz|whl|jar|so|dll|exe|latest|next|beta|alpha|canary|js)$/i;

/** The mail addresses in a text, but those that are nobody's. */
export function* findMail(text: string): Generator<Found> {
	for (let at = text.indexOf("@"); at !== -1; at = text.indexOf("@", at + 1)) {
		const name = NAME.exec(text.slice(Math.max(0, at - LONGEST_NAME), at))?.[0].replace(/^[.'%+-]+/, "") ?? "";
		const host = name === "" ? null : HOST.exec(text.slice(at + 1, at + 1 + LONGEST_HOST));
		if (host === null || FILE_ENDING.test(host.groups?.top ?? "")) continue;
		if (NOBODY.test(host[0]) || NO_PERSON.test(name)) continue;
		// A name and a password may stand before a host in an address.
		if (/:\/\/[^\s/]*$/.test(text.slice(Math.max(0, at - name.length - 100), at))) continue;
		yield { kind: "mail", from: at - name.length, to: at + 1 + host[0].length };
	}
}
