import { eachMatch, type FindingKind, type Found } from "./found.ts";
import { isPlaceholder, variesAsSecrets } from "./looks-secret.ts";

/** What a command line has before a value: other words of the same command. */
const WORDS = String.raw`[^\n]{0,300}?\s`;
const VALUE = String.raw`["'\x60]?(?<value>[^\s"'\x60<>|;]{3,300})`;

/** A name begins here; an underscore before it may be Markdown's, or that of a script which calls the program ("run_mysql"). */
const BEGINS = "(?<![A-Za-z0-9])";

/** Values that a program is called with, by its name; a value may be any word, but a port, an option or a variable. */
const OF_PROGRAMS: readonly RegExp[] = [
	`(?:mysql|mysqldump|mysqladmin|mysqlimport|mysqlsh|mariadb|mariadb-dump|mycli)(?:_\\w{0,40})?\\b${WORDS}-p${VALUE}`,
	`redis-cli\\b${WORDS}(?:-a|--pass)\\s${VALUE}`,
	`(?:mongo|mongosh|mongodump|mongorestore|cqlsh|sshpass|(?:az|docker|podman|helm(?:\\sregistry)?|oc|skopeo|nerdctl)\\slogin)\\b${WORDS}-p\\s{0,3}${VALUE}`,
	`(?:ldapsearch|ldapadd|ldapmodify|ldapwhoami)\\b${WORDS}-w\\s{0,2}${VALUE}`,
	`(?:sqlcmd|bcp|zip|unzip)\\b${WORDS}-P\\s{0,2}${VALUE}`,
	`7z[az]?\\b${WORDS}-p${VALUE}`,
	`htpasswd\\b\\s-[A-Za-z]{0,8}b[A-Za-z]{0,8}\\s\\S{1,100}\\s\\S{1,100}\\s${VALUE}`,
	`(?:smbclient|rpcclient)\\b${WORDS}(?:-U\\s?|/user:)[\\w.\\\\/@-]{1,100}[%]${VALUE}`,
	`openssl\\b${WORDS}-pass(?:in|out)?\\spass:${VALUE}`,
	`(?:curl|wget|https?|xh)\\b${WORDS}(?:-u|--user|-a|--auth|--proxy-user)[ =]?["'\x60]?[\\w.@%+\\\\-]{1,100}:(?<value>[^\\s"'\x60]{4,300})`,
	`rabbitmqctl\\b\\s(?:add_user|change_password)\\s\\S{1,100}\\s${VALUE}`,
	`aws\\s+configure\\s+set\\s+(?:[\\w.-]{0,60}\\.)?(?:aws_secret_access_key|aws_session_token)\\s+${VALUE}`,
	`mc\\s+alias\\s+set\\s+\\S{1,100}\\s+\\S{1,200}\\s+\\S{1,100}\\s+${VALUE}`,
	`echo\\s+(?:-n\\s+)?["'\x60]?[a-z_][\\w-]{0,31}:(?<value>[^\\s"'\x60|]{4,200})(?=["'\x60]?\\s*\\|\\s*(?:sudo\\s+)?chpasswd)`,
	`echo\\s+(?:-n\\s+)?["'\x60]?(?<value>[^\\s"'\x60|]{4,200})(?=["'\x60]?\\s*\\|\\s*(?:sudo\\s+-S|(?:docker|podman|helm|gh|nerdctl)\\b[^\\n|]{0,100}--(?:password-stdin|with-token)))`,
	`(?:requirepass|masterauth)\\s+${VALUE}`,
	`machine\\s{1,20}\\S{1,200}(?:\\s{1,20}(?:login|account)\\s{1,20}\\S{1,200}){0,2}\\s{1,20}password\\s{1,20}${VALUE}`,
	`(?:default|login)\\s{1,20}\\S{1,200}(?:\\s{1,20}(?:login|account)\\s{1,20}\\S{1,200}){0,1}\\s{1,20}password\\s{1,20}${VALUE}`,
].map((source) => new RegExp(`${BEGINS}${source}`, "y"));

/** The words that these begin with; they are tried at each of them. */
const PROGRAM =
	/(?<![A-Za-z0-9])(?:mysql|maria|mycli|redis-cli|mongo|cqlsh|az\s|docker|podman|helm|oc\s|skopeo|nerdctl|sshpass|ldap|sqlcmd|bcp|zip|unzip|7z|htpasswd|smbclient|rpcclient|openssl|curl|wget|http|xh\s|rabbitmqctl|aws\s|mc\s|echo\s|requirepass|masterauth|machine|default|login)/g;

/** "ALTER USER app WITH PASSWORD 'value'" */
const SQL =
	/\b(?:identified\s+(?:with\s+\w{1,40}\s+)?(?:by|as)(?:\s+password)?|(?:with|encrypted|set|user|role)\s+password)\s+["'](?<value>[^\s"']{4,300})(?=["'])/gi;

const NAME = "(?:password|passphrase|passwd|secret|token|(?:api|access|secret|private|account)[-_]?key|pat|pass)";
/** "--password value" */
const OPTION = new RegExp(
	String.raw`--?[a-z-]{0,30}${NAME}(?:=|\s{1,3})["'\x60]?(?<value>[^\s"'\x60\\]{4,1000})`,
	"gi",
);
/** "ENV TOKEN value", "setx TOKEN value", "npm config set _authToken value" */
const SET = new RegExp(
	String.raw`\b(?:ENV|ARG|setenv|setx|set|set -[gxU]{1,3}|config set|config --global|config|secrets? set)\s+["']?[\w.:/-]{0,100}${NAME}["']?\s+["'\x60]?(?<value>[^\s"'\x60\\=]{6,1000})`,
	"gi",
);

/** The values that a program is called with as a password, a token or a key. */
export function* findInCommands(text: string): Generator<Found> {
	for (const { index } of eachMatch(PROGRAM, text)) {
		for (const pattern of OF_PROGRAMS) {
			pattern.lastIndex = index;
			const match = pattern.exec(text);
			if (match !== null) yield* foundIn(match, isWord);
		}
	}
	for (const match of eachMatch(SQL, text)) yield* foundIn(match, isWord);
	for (const match of eachMatch(OPTION, text)) yield* foundIn(match, (value) => /[^A-Za-z.,:;-]/.test(value));
	for (const match of eachMatch(SET, text)) yield* foundIn(match, variesAsSecrets);
}

function* foundIn(
	{ 0: whole, index, input, groups }: RegExpExecArray,
	isValue: (value: string) => boolean,
): Generator<Found> {
	const said = groups?.value ?? "";
	const isItalic = /(?:^|[^A-Za-z0-9_])_$/.test(input.slice(Math.max(0, index - 2), index));
	const value = said.replace(isItalic ? /(?:\*\*|[.,;:)\]}_])+$/ : /(?:\*\*|[.,;:)\]}])+$/, "");
	if (isPlaceholder(value) || !isValue(value)) return;
	const from = index + whole.length - said.length;
	const kind: FindingKind = "password";
	yield { kind, from, to: from + value.length };
}

/** Whether it may be a password, not a port, an option or a path. */
function isWord(value: string): boolean {
	return value.length >= 4 && !/^[\d:.]+$|^[-/.~]|^[\d:.]+\/(?:tcp|udp)$/.test(value);
}
