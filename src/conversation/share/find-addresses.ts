import type { Found } from "./found.ts";
import { isPlaceholder, variesAsSecrets } from "./looks-secret.ts";

/** "scheme://name:password@host", or only a long name, which is a token. */
const IN_URL = /:\/\/(?<user>[^\s:@/"'`<>\\]{0,300})(?::(?<password>[^\s@/"'`<>]{0,300}))?@(?=[\w[.])/g;
const COOKIE =
	/(?<![A-Za-z0-9])(?:set-)?cookie["'`*]{0,4}\s{0,2}:\*{0,2}\s{0,2}["'`]{0,1}(?<value>[^\s"'=;]{1,100}=[^\r\n"'`\\]{6,4096})/gi;

/** What stands in an address or a cookie as the proof of who one is. */
export function* findInAddresses(text: string): Generator<Found> {
	for (const match of text.matchAll(IN_URL)) {
		const { user = "", password } = match.groups ?? {};
		const to = match.index + match[0].length - 1;
		const isToken =
			/^[A-Za-z0-9_.~-]{12,}$/.test(user) && (user.length >= 20 || variesAsSecrets(user)) && !isPlaceholder(user);
		if (isToken) yield { kind: "token", from: match.index + 3, to: match.index + 3 + user.length };
		const isExample =
			(password?.length ?? 0) < 8 && /^[\w.-]{0,60}\bexample\.(?:com|org|net)\b/.test(text.slice(to + 1, to + 80));
		if (
			password !== undefined &&
			password.length >= 2 &&
			password !== "x-oauth-basic" &&
			!isExample &&
			!isPlaceholder(password)
		)
			yield { kind: "password", from: to - password.length, to };
	}
	for (const match of text.matchAll(COOKIE)) yield* findInCookie(match);
	yield* findBeforeHosts(text);
}

/** "name=value" in a header, and what the header says of it. */
const IN_COOKIE = /(?<name>[^\s=;,]{1,200})=(?<value>[^\s;,]{6,4096})/g;
const ABOUT_COOKIE = /^(?:path|domain|expires|max-age|samesite|version)$/i;

function* findInCookie({ 0: whole, index, groups }: RegExpExecArray): Generator<Found> {
	const cookies = groups?.value ?? "";
	const start = index + whole.length - cookies.length;
	for (const match of cookies.matchAll(IN_COOKIE)) {
		const { name = "", value = "" } = match.groups ?? {};
		const secret = value.replace(/(?:\*\*|[.)\]}*])+$/, "");
		const from = start + match.index + name.length + 1;
		if (!ABOUT_COOKIE.test(name) && !isPlaceholder(secret)) yield { kind: "token", from, to: from + secret.length };
	}
}

/** UTF-16 units before an "@" in which a name and a password are looked for. */
const BEFORE_HOST = 400;
const HOST_AND_PATH =
	/^(?<host>localhost|\d{1,3}(?:\.\d{1,3}){3}|(?:[A-Za-z0-9-]{1,63}\.){1,8}[A-Za-z]{2,24}|[A-Za-z][\w-]{0,62})(?:\/|:\d|:[\w.-]{1,100}\/)/;
const NAME_AND_PASSWORD = /(?:^|[\s"'`(<>=*,[])(?<user>[A-Za-z0-9_.+-]{1,64}):(?<password>[^\s:@/"'`<>()]{2,300})$/;
const TOKEN_ALONE = /(?:^|[\s"'`(<>=*,[])(?<token>[A-Za-z0-9_~-]{16,300})$/;
/** What has a colon and no name before it: "npm:name@1.2.3/file". */
const NO_NAME = /^(?:mailto|xmpp|sips?|acct|npm|jsr|workspace|file|pkg|git|link|portal|patch|github|https?|docker)$/i;

/** "name:password@host/path" and "token@host/path": addresses without their protocol, as of a Git remote. */
function* findBeforeHosts(text: string): Generator<Found> {
	for (let at = text.indexOf("@"); at !== -1; at = text.indexOf("@", at + 1)) {
		const next = text.charCodeAt(at + 1);
		if (!(next > 47 && next < 123)) continue;
		const host = HOST_AND_PATH.exec(text.slice(at + 1, at + 300))?.groups?.host;
		if (host === undefined) continue;
		const textBefore = text.slice(Math.max(0, at - BEFORE_HOST), at);
		const { user = "", password } = NAME_AND_PASSWORD.exec(textBefore)?.groups ?? {};
		const { token } = TOKEN_ALONE.exec(textBefore)?.groups ?? {};
		const isKnownHost = host.includes(".") || host === "localhost";
		if (password !== undefined) {
			if (!NO_NAME.test(user) && !isPlaceholder(password) && (isKnownHost || variesAsSecrets(password)))
				yield { kind: "password", from: at - password.length, to: at };
		} else if (token !== undefined && variesAsSecrets(token) && /\d.*\d.*\d/.test(token))
			yield { kind: "token", from: at - token.length, to: at };
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

/** The mail addresses in a text, except examples and those of programs. */
export function* findMail(text: string): Generator<Found> {
	for (let at = text.indexOf("@"); at !== -1; at = text.indexOf("@", at + 1)) {
		const name = NAME.exec(text.slice(Math.max(0, at - LONGEST_NAME), at))?.[0].replace(/^[.'%+-]+/, "") ?? "";
		const host = name === "" ? null : HOST.exec(text.slice(at + 1, at + 1 + LONGEST_HOST));
		if (host === null || FILE_ENDING.test(host.groups?.top ?? "")) continue;
		if (NOBODY.test(host[0]) || NO_PERSON.test(name)) continue;
		if (/^[/:]/.test(text.slice(at + 1 + host[0].length)) && variesAsSecrets(name)) continue;
		// A name and a password may stand before a host in an address.
		if (/:\/\/[^\s/]*$/.test(text.slice(Math.max(0, at - name.length - 100), at))) continue;
		yield { kind: "mail", from: at - name.length, to: at + 1 + host[0].length };
	}
}
