/** Settings of Git that name a program, with the program in them. */
const PROGRAMS = [
	...["core.fsmonitor", "core.pager", "core.editor", "core.sshCommand", "core.gitProxy", "core.askPass"],
	...["core.alternateRefsCommand", "sequence.editor", "diff.external", "diff.evil.textconv", "diff.evil.command"],
	...["filter.evil.clean", "filter.evil.smudge", "filter.evil.process", "filter.lfs.clean", "filter.lfs.smudge"],
	...["filter.lfs.process", "merge.evil.driver", "gpg.program", "gpg.openpgp.program", "gpg.ssh.program"],
	...["gpg.x509.program", "gpg.ssh.defaultKeyCommand", "credential.helper", "credential.https://x.helper"],
	...["interactive.diffFilter", "uploadpack.packObjectsHook", "remote.origin.uploadpack", "remote.origin.receivepack"],
	...["pager.log", "pager.blame", "pager.diff", "pager.show", "pager.config", "pager.branch", "pager.cat-file"],
	...["pager.ls-tree", "pager.rev-list", "pager.rev-parse", "pager.for-each-ref", "pager.diff-tree", "pager.reflog"],
	...["mergetool.evil.cmd", "mergetool.evil.path", "difftool.evil.cmd", "difftool.evil.path", "guitool.evil.cmd"],
	...["browser.evil.cmd", "browser.evil.path", "man.evil.cmd", "man.evil.path", "trailer.evil.command"],
	...["trailer.evil.cmd", "sendemail.smtpServer", "sendemail.sendmailCmd", "sendemail.toCmd", "sendemail.ccCmd"],
	...["imap.tunnel", "instaweb.httpd", "rebase.instructionFormat", "web.browser", "help.browser", "gui.editor"],
	...["receive.procReceiveRefs", "tar.evil.command", "bundle.evil.uri", "submodule.sub.url", "hook.evil.command"],
	...["log.mailmapCommand", "maintenance.evil.command", "difftool.guiDefault", "include.path"],
] as const;

/** Such settings that begin in a way of their own. */
const SHELL_FORMS = ["submodule.sub.update", "alias.blame", "alias.log", "alias.cat-file", "alias.rev-parse"];

/** Settings that change what Git prints, hide something, or name a file that is not there. */
const OTHERS: readonly (readonly [name: string, value: string])[] = [
	...[["log.showSignature", "true"] as const, ["diff.tool", "evil"] as const, ["merge.tool", "evil"] as const],
	...[["blame.ignoreRevsFile", "none"] as const, ["diff.orderFile", "none"] as const, ["gc.auto", "1"] as const],
	...[["i18n.logOutputEncoding", "UTF-16"] as const, ["i18n.commitEncoding", "UTF-16"] as const],
	...[
		["core.untrackedCache", "true"] as const,
		["core.splitIndex", "true"] as const,
		["diff.noprefix", "true"] as const,
	],
	...[["log.follow", "true"] as const, ["color.ui", "always"] as const, ["diff.submodule", "log"] as const],
	...[["credential.useHttpPath", "true"] as const, ["protocol.allow", "always"] as const],
	...[["protocol.ssh.allow", "always"] as const, ["fetch.writeCommitGraph", "true"] as const],
	...[["notes.displayRef", "*"] as const, ["commit.gpgSign", "true"] as const, ["diff.relative", "true"] as const],
];

export const SETTINGS_THAT_RUN: number = PROGRAMS.length + SHELL_FORMS.length;

/** A configuration in which each setting that can runs the program, with its own name as an argument. */
export function configurationThatRuns(program: string): string {
	const settings = [
		...PROGRAMS.map((name) => [name, `${program} ${name}`] as const),
		...SHELL_FORMS.map((name) => [name, `!${program} ${name}`] as const),
		...OTHERS,
	];
	return settings
		.map(([name, value]) => {
			const [, section, subsection, key] = /^([^.]+)(?:\.(.+))?\.([^.]+)$/.exec(name) ?? [];
			return `[${section}${subsection === undefined ? "" : ` "${subsection}"`}]\n\t${key} = "${value}"\n`;
		})
		.join("");
}
