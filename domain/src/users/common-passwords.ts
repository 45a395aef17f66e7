/** Common passwords and base words of common passwords, in lower case. */
const passwordLines = `
123456 123456789 12345678 12345 1234567 1234567890 123123 000000 111111 121212 654321 666666 696969 112233 123321
123qwe 1q2w3e 1q2w3e4r 1q2w3e4r5t 1qaz2wsx 1qazxsw2 q1w2e3r4 q1w2e3r4t5 qazwsx qazwsxedc zaq12wsx zaq1zaq1 zxcvbn
zxcvbnm zxcvbnm123 asdf asdfg asdfgh asdfghjk asdfghjkl asd123 asdasd asdfasdf qwer qwert qwerty qwertyu qwertyui
qwertyuiop qwerty1 qwerty12 qwerty123 qwerty1234 qwe123 qweasd qweasdzxc qwaszx poiuytrewq lkjhgfdsa mnbvcxz
password password1 password12 password123 password1234 passw0rd passwort passwd pass pass1234 pass123 mypassword
letmein letmeinnow welcome welcome1 welcome123 welcometo admin admin1 admin123 administrator administrador root toor
rootroot superuser supervisor manager managers operator user username guest test test1 test123 test1234 testing tester
testuser demo demodemo default changeme changeit changemenow secret secrets topsecret temporary temp temp123 login
loginlogin access master masterkey server system oracle postgres mysql database security secure private public
football baseball basketball soccer hockey rugby cricket springbok springboks bafana proteas liverpool arsenal chelsea
manchester manutd barcelona realmadrid kaizerchiefs orlandopirates stormers sharks bulls lions cheetahs
monkey dragon dragons shadow sunshine princess prince iloveyou iloveyou1 iloveyou2 ilovegod lovely loveme love lover
loveyou babygirl baby angel angels angela daniel daniela michael michelle jessica jennifer jordan jordan23 joshua
thomas andrew anthony charlie robert matthew ashley amanda nicole samantha hannah hunter hunter2 harley ranger
buster soccer1 killer george pepper ginger cookie chocolate butterfly purple flower orange banana cheese summer summer1
winter spring autumn january february march april may june july august september october november december
monday tuesday wednesday thursday friday saturday sunday
superman batman spiderman starwars startrek pokemon naruto minecraft fortnite matrix trustno1 trustnoone
whatever freedom forever family friends friend mother father brother sister jesus jesuschrist christ heaven god
blessed blessing hallelujah faith hope grace mercy gracious praise bismillah allah
mustang ferrari porsche mercedes toyota bmw yamaha honda corvette camaro harleydavidson
computer internet google facebook instagram twitter linkedin whatsapp youtube microsoft windows apple samsung android
iphone nokia dell lenovo laptop desktop office officeoffice company business insurance insurer assurance policy
policies member members claims premium benefits milkwood milkwoods milk group groups broker underwriter
southafrica africa johannesburg joburg jozi soweto pretoria tshwane capetown durban ethekwini bloemfontein polokwane
nelspruit kimberley gqeberha portelizabeth eastlondon sandton mzansi ubuntu amandla nkosi sawubona molo dumela
hello hello1 hello123 hellohello helloworld goodbye happy happyday lucky luckyme money moneymoney million millionaire
dollar rand gold silver platinum diamond crystal tiger eagle falcon phoenix wolf bear panther cobra viper thunder
lightning storm rainbow star stars moon galaxy universe earth ocean river mountain forest
blink182 eminem metallica nirvana beatles slipknot korn tupac biggie
abc abc123 abcd abcd1234 abcde abcdef abcdefg abcdefgh abcdefghi a1b2c3 a1b2c3d4 aa123456 aaa aaaaaa ab123456
fuckyou fuckoff fuck asshole bitch shit sexy pussy dick cock porn sex
nopassword nopass none null nothing blank empty unknown newpassword newpass oldpassword mypass yourpassword
thisisapassword thisismypassword correcthorsebatterystaple correcthorse openup opensesame sesame enter entry
letmeinplease pleaseletmein changeyourpassword changethis changethispassword resetme reset startup start
qwertyasdf qwertyqwerty passwordpassword adminadmin administratoradministrator testtest testtesttest useruser
`

export const commonPasswords: ReadonlySet<string> = new Set(passwordLines.trim().split(/\s+/))
