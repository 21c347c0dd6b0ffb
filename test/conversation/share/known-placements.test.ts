import { expect, test } from "vitest";
import { Masker } from "../../../src/conversation/share/masker.ts";

/** Secrets that are known from elsewhere, as from an `.env` file: of 8, 10 and 15 characters. */
const SECRETS = ["aB3$kQ9z", "q7rt2mw9xk", "Zk4mPq8vLw2nRt6"];

/** Where such a value was seen beside letters and digits: "@" is the value. */
const PLACEMENTS = [
	"_mysql -uroot -p@_",
	"MYARGS=-p@",
	"mysqldump_all -p@ app",
	"run_mysql_here -uroot -p@ app",
	"mysql -uroot -p@ app",
	"user@@h",
	"user:@@h",
	"http://h/@2",
	"http://h/x@",
	"http://h/?q=1@&x=2",
	"https://u:@@h/x",
	"x@y",
	"1@2",
	"_@_",
	"**@**",
	"`@`",
	"echo @|base64",
	"file_@.txt",
	"backup-@-2026.tgz",
	"\\n@\\n",
	"%20@%20",
	"\u001b[1m@\u001b[0m",
	"a=@;b=2",
	"(@)",
	"the password was @.",
];

test.each(PLACEMENTS)("a known value is masked wherever it stands: %s", (placement) => {
	for (const value of SECRETS) {
		const masker = new Masker({ allowed: new Set(), homes: [], secrets: [{ kind: "password", value }] });
		expect(
			masker.mask(
				placement.replace("@", () => value),
				"e1",
			),
		).not.toContain(value);
	}
});

test("what any word may be is masked only where it stands by itself", () => {
	const secrets = [{ kind: "password" as const, value: "web-app2" }];
	const masker = new Masker({ allowed: new Set(), homes: [], secrets });
	expect(masker.mask("web-app20 web-app2", "e1")).toBe("web-app20 ‹password 1›");
});

test.each([
	["_mysql -uroot -phunter42x_", "_mysql -uroot -p‹password 1›_"],
	["mysqldump_all -phunter42x app", "mysqldump_all -p‹password 1› app"],
	["my_curl -u ada:s3cret99 https://host.io", "my_curl -u ada:‹password 1› https://host.io"],
	["HTTP_AUTHORIZATION: Bearer 3f9a7c2e1b8d4f60", "HTTP_AUTHORIZATION: Bearer ‹token 1›"],
])("a form is found behind an underscore: %s", (text, masked) => {
	expect(new Masker({ allowed: new Set(), homes: [] }).mask(text, "e1")).toBe(masked);
});

test.each([
	"using llvm::Pass::doFinalization;",
	"Pass::AnalysisUsage::addRequired",
	"token::Kind secret::Store::open key Token::LParen",
	"password->verify_now std::secret::value_type",
])("a qualified name of a program is none: %s", (text) => {
	expect(new Masker({ allowed: new Set(), homes: [] }).mask(text, "e1")).toBe(text);
});

test.each([
	["ssh alice@10.0.0.7", "ssh ‹user name 1›@10.0.0.7"],
	["scp x alice@build-3:/tmp", "scp x ‹user name 1›@build-3:/tmp"],
	["/run/media/alice/disk and /var/mail/alice", "/run/media/‹user name 1›/disk and /var/mail/‹user name 1›"],
	["D:\\work\\alice\\x", "D:\\work\\‹user name 1›\\x"],
	["git@github.com:alice/notes.git", "git@github.com:‹user name 1›/notes.git"],
	["cd /home/alice/x", "cd ~/x"],
	["malice@10.0.0.7 /srv/alice-2/alices alice said", "malice@10.0.0.7 /srv/alice-2/alices alice said"],
])("the user of a known home directory is masked before a host and in paths: %s", (text, masked) => {
	expect(new Masker({ allowed: new Set(), homes: ["/home/alice"] }).mask(text, "e1")).toBe(masked);
});

test("a name that says nothing is left, and so is one whose home directory is allowed", () => {
	for (const home of ["/root", "/home/ubuntu", "/home/pi"])
		expect(new Masker({ allowed: new Set(), homes: [home] }).mask("root@h ubuntu@h pi@h /data/pi/x", "e1")).toBe(
			"root@h ubuntu@h pi@h /data/pi/x",
		);
	expect(new Masker({ allowed: new Set(["home"]), homes: ["/home/alice"] }).mask("alice@h", "e1")).toBe("alice@h");
});
