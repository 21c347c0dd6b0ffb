import { join, resolve } from "node:path";

/**
 * Names the remote repository in the text of a `.git/config`: that called "origin", else the first. The name has neither
 * the protocol nor anything that may be secret, and is the same however it is reached: "github.com/owner/name". "": none.
 * `top`: the directory of the repository, for the path of a remote one.
 */
export function remoteIn(config: string, top: string): string {
	const urls = new Map<string, string>();
	let remote: string | undefined;
	for (const line of config.split("\n")) {
		const section = /^\s*\[([^\]]*)\]/.exec(line)?.[1];
		if (section !== undefined) remote = /^remote\s+"(.*)"$/.exec(section.trim())?.[1];
		const url = /^\s*url\s*=\s*"?([^"\s]+)/i.exec(line)?.[1];
		if (remote !== undefined && url !== undefined && !urls.has(remote)) urls.set(remote, url);
	}
	const url = urls.get("origin") ?? urls.values().next().value;
	return url === undefined ? "" : remoteName(url, top);
}

/** The name of a remote repository by its URL, or its path, or as SSH has it: "git@host:path". */
function remoteName(url: string, top: string): string {
	if (/^[a-z][a-z0-9+.-]*:\/\//i.test(url)) return nameOfUrl(url);
	const [, host, path] = /^(?:[^/]*@)?([^/:@]{2,}):(.+)$/.exec(url) ?? [];
	if (host !== undefined && path !== undefined) return nameOf(host, path);
	// An address without its protocol, "name:password@host/path", which Git takes for a path: it has a secret in it.
	if (/^(?:\/\/)?[^/\\]*@/.test(url)) return "";
	const local = url.startsWith("~") ? url : resolve(top, url);
	return withoutEnding(local);
}

function nameOfUrl(url: string): string {
	try {
		const { protocol, hostname, pathname } = new URL(url);
		if (protocol === "file:") return withoutEnding(pathname);
		return nameOf(hostname, decodeURIComponent(pathname));
	} catch {
		// What cannot be taken apart may have a password anywhere.
		return "";
	}
}

function nameOf(host: string, path: string): string {
	// A password with a slash in it would be taken for a part of the path.
	if (host === "" || path.includes("@")) return "";
	return `${host.toLowerCase()}${withoutEnding(join("/", path))}`;
}

function withoutEnding(path: string): string {
	return path.replace(/\/+$/, "").replace(/(?:\/|(?<=[^/]))\.git$/, "");
}
