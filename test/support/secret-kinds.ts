import fc from "fast-check";
import { KEYS } from "./planted-secrets.ts";

/** Kinds of secrets as they stand in texts, each with the values that may stand in it. */
export interface SecretKind {
	readonly name: string;
	/** "@@" is the secret. */
	readonly text: string;
	readonly secret: fc.Arbitrary<string>;
}

const LOWER = "abcdefghijkmnpqrstuvwxyz";
const UPPER = LOWER.toUpperCase();
const of = (characters: string, length: number): fc.Arbitrary<string> =>
	fc.string({ unit: fc.constantFrom(...characters), minLength: length, maxLength: length });
const joined = (...parts: ReadonlyArray<fc.Arbitrary<string> | string>): fc.Arbitrary<string> =>
	fc.tuple(...parts.map((part) => (typeof part === "string" ? fc.constant(part) : part))).map((all) => all.join(""));

/** As people choose them: "Urchinel4T!", few digits. */
const CHOSEN = joined(of(UPPER, 1), of(LOWER, 7), fc.constantFrom("4", "7"), of(UPPER, 1), "!");
/** Words and digits that might be a name in a program. */
const WORDLIKE = joined(of(LOWER, 6), fc.constantFrom("22", "47"), of(LOWER, 6));
const HYPHENED = joined(of(LOWER, 7), "-", of(LOWER, 5), "-", of(LOWER, 7));
const MIXED = joined(of(LOWER, 4), "7", of(UPPER, 4), "29", of(LOWER + UPPER, 7));
const HEX32 = joined(of("abcdef", 2), "90", of("0123456789abcdef", 28));
const HEX64 = joined(HEX32, of("0123456789abcdef", 32));
const BASE32 = joined(of("ABCDEFGHIJKLMNOPQRSTUVWXYZ", 8), "27", of("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567", 6));
const BASE64 = joined(MIXED, of(`${LOWER}${UPPER}0123456789+/`, 27), "=");
const UUID = of("0123456789abcdef", 31).map((hex) => `a${hex}`.replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-"));
const PAIR = fc.tuple(of(LOWER, 6), CHOSEN).map((pair) => Buffer.from(pair.join(":")).toString("base64"));
const CRYPT = joined("$2y$10$", of(`${LOWER}${UPPER}0123456789./`, 53));

const TEXTS: ReadonlyArray<readonly [secret: fc.Arbitrary<string>, texts: readonly string[]]> = [
	[
		CHOSEN,
		[
			"password: @@",
			"Password = @@",
			"db_password: @@",
			"passphrase: @@",
			"passwort: @@",
			"the password is @@",
			"The password for the staging host is now @@",
			"passcode: @@",
			"pwd=@@",
			"SMTP_PASS=@@",
			"MYSQL_PWD=@@",
			"PGPASSWORD=@@ psql -h db",
			"mysql -u root -p@@ shop",
			"mysqldump --password=@@ shop",
			"sshpass -p @@ ssh root@10.0.0.4",
			"redis-cli -h cache -a @@ ping",
			"ldapsearch -x -D cn=admin -w @@",
			"docker login -u ada -p @@ registry.host.io",
			"htpasswd -b /etc/nginx/users ada @@",
			"openssl rsa -in key.pem -passin pass:@@",
			"curl -u ada:@@ https://host.io/x",
			"curl --user ada:@@ https://host.io/x",
			"wget --http-password=@@ https://host.io/x",
			"echo ada:@@ | chpasswd",
			"echo @@ | sudo -S apt update",
			"requirepass @@",
			"rabbitmqctl add_user ada @@",
			"7z x -p@@ backup.7z",
			"sqlcmd -S db -U sa -P @@",
			"machine host.io login ada password @@",
			"db.internal:5432:shop:ada:@@",
			"postgres://ada:@@@db.internal:5432/shop",
			"mysql://ada:@@@10.0.0.4/shop",
			"mongodb+srv://ada:@@@cluster0.abc.mongodb.net/x",
			"redis://:@@@10.0.0.4:6379",
			"amqp://ada:@@@mq.internal/v",
			"https://ada:@@@git.host.io/a/b.git",
			"ada:@@@git.host.io/a/b.git",
			"jdbc:oracle:thin:ada/@@@db.internal:1521/x",
			"Server=db;User Id=sa;Password=@@;",
			"jdbc:mysql://db/x?user=ada&password=@@",
			"<password>@@</password>",
			"| password | @@ |",
			"spring.datasource.password=@@",
			"$cfg->password = '@@';",
			"define('DB_PASSWORD', '@@');",
			'setPassword("@@")',
			"ALTER USER ada WITH PASSWORD '@@';",
			"CREATE USER ada IDENTIFIED BY '@@';",
			"wpa_passphrase=@@",
			'psk="@@"',
			"- name: DB_PASSWORD\n  value: @@",
			"credentials: @@",
			"ansible_become_pass: @@",
			"ENV DB_PASSWORD=@@",
			'$env:DB_PASSWORD = "@@"',
			"set DB_PASSWORD=@@",
			"mongosh -u ada -p @@ host",
			"smtp://ada:@@@mail.host.io:587",
			"ftp://ada:@@@files.host.io/x",
		],
	],
	[WORDLIKE, ["password: @@", "DB_PASSWORD=@@", '"password": "@@"', 'passphrase = "@@"']],
	[HYPHENED, ["DB_PASSWORD=@@", "password: '@@'", "RESTIC_PASSWORD=@@"]],
	[
		MIXED,
		[
			"API_KEY=@@",
			"export SECRET_KEY=@@",
			"client_secret: @@",
			"AUTH_TOKEN=@@",
			"REDISCLI_AUTH=@@",
			"GITHUB_PAT=@@",
			"OKTA_API_TOKEN=@@",
			"Authorization: SSWS @@",
			"X-Api-Key: @@",
			"X-Auth-Token: @@",
			"Authorization: Bearer @@",
			"Authorization: Token @@",
			"PRIVATE-TOKEN: @@",
			"//registry.npmjs.org/:_authToken=@@",
			"gh auth login --token @@",
			"vault login --token=@@",
			"https://host.io/hook?token=@@",
			"https://host.io/x?access_token=@@&y=1",
			"https://host.io/x?api_key=@@",
			"https://@@@git.host.io/a/b.git",
			"@@@git.host.io/a/b.git",
			"Cookie: session=@@",
			"Set-Cookie: sid=@@; Path=/",
			"JSESSIONID=@@",
			"the API key is `@@`",
			'encryption_key = "@@"',
			"webhook_secret: @@",
			'"apiKey": "@@"',
			"apiKey: '@@',",
			"    token: @@",
			'localStorage.setItem("token", "@@")',
			"npm config set //registry.host.io/:_authToken @@",
			"heroku config:set API_KEY=@@",
			"kubectl create secret generic x --from-literal=token=@@",
			'<add key="ApiKey" value="@@"/>',
			'{"name":"API_TOKEN","value":"@@"}',
			"JWT_SECRET=@@",
			"license_key: @@",
			"account_key=@@",
			"DD_API_KEY=@@",
		],
	],
	[HEX64, ["secret_key_base: @@", "SECRET_KEY_BASE=@@", "encryption-key: @@"]],
	[HEX32, ["api_key: @@", "DATADOG_API_KEY=@@", "AZURE_OPENAI_KEY: api-key: @@", "subscription-key: @@"]],
	[UUID, ["_authToken=@@", "HEROKU_API_KEY=@@", "token: @@"]],
	[BASE32, ["otpauth://totp/host:ada?secret=@@&issuer=host", "TOTP_SECRET=@@"]],
	[
		BASE64,
		[
			"AccountKey=@@",
			"aws_secret_access_key = @@",
			"PrivateKey = @@",
			"client-key-data: @@",
			"aws configure set aws_secret_access_key @@",
			"AWS_SECRET_ACCESS_KEY=@@",
		],
	],
	[PAIR, ['"auth": "@@"', "_auth=@@", "Authorization: Basic @@"]],
	[CRYPT, ["ada:@@"]],
	[joined("$apr1$x8Kq1zTt$", of(`${LOWER}${UPPER}0123456789./`, 22)), ["@@"]],
	[joined("$6$rounds=5000$Qx1Zt8aa$", of(`${LOWER}${UPPER}0123456789./`, 86)), ["root:@@:19000:0:99999:7:::"]],
	[joined("AAAAx8Kq1zT:APA91b", of(`${LOWER}${UPPER}0123456789`, 134)), ["FCM_KEY=@@", "key=@@"]],
];

/** All kinds: the keys of services by their form, and what only its surroundings tell. */
export const SECRET_KINDS: readonly SecretKind[] = [
	...Object.entries(KEYS).map(([name, secret]) => ({ name, text: "use @@ now", secret })),
	...TEXTS.flatMap(([secret, texts]) => texts.map((text) => ({ name: text, text, secret }))),
];
