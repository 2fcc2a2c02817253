// Code generated from kinds.txt by go generate; DO NOT EDIT.

package risk

// The kinds.
const (
	KindClear                                Kind = iota + 1 // --clear
	KindRemoveFiles                                          // --remove-files
	KindRemoveSourceFiles                                    // --remove-source-files
	KindAutoApprove                                          // -auto-approve
	KindEnvrc                                                // .envrc
	KindSQLAlterDrop                                         // ALTER … DROP
	KindDBusCall                                             // D-Bus call
	KindDBusMessages                                         // D-Bus messages
	KindSQLDeleteAll                                         // DELETE without WHERE
	KindDOSCommandsOnHostFiles                               // DOS commands on host files
	KindSQLDrop                                              // DROP
	KindSQLDropDatabase                                      // DROP DATABASE
	KindSQLDropOwned                                         // DROP OWNED
	KindSQLDropTable                                         // DROP TABLE
	KindDockerfile                                           // Dockerfile
	KindGitLabData                                           // GitLab data
	KindMCPServer                                            // MCP server
	KindPATH                                                 // PATH
	KindSQL                                                  // SQL
	KindSQLTruncate                                          // TRUNCATE
	KindSQLUpdateAll                                         // UPDATE without WHERE
	KindVagrantfile                                          // Vagrantfile
	KindPartUnparsable                                       // a part of it cannot be parsed
	KindAServiceAccountSKey                                  // a service account's key
	KindSourcedUnparsable                                    // a sourced file cannot be parsed
	KindAVariableOfHeedS                                     // a variable of heed's
	KindAbort                                                // abort
	KindAccessControl                                        // access control
	KindAccessFromOutside                                    // access from outside
	KindAccessList                                           // access list
	KindAccessToABucket                                      // access to a bucket
	KindAccessToken                                          // access token
	KindAccount                                              // account
	KindAccounts                                             // accounts
	KindAdd                                                  // add
	KindAdministrator                                        // administrator
	KindAdministratorOfTheDatabase                           // administrator of the database
	KindAlias                                                // alias
	KindAll                                                  // all
	KindAllBranches                                          // all branches
	KindAllCaches                                            // all caches
	KindAllContainers                                        // all containers
	KindAllRights                                            // all rights
	KindAlternatives                                         // alternatives
	KindAm                                                   // am
	KindAmend                                                // amend
	KindAndRun                                               // and run
	KindAnotherHeedFirstInPATH                               // another heed first in PATH
	KindAnybodyMayControlTheEngine                           // anybody may control the engine
	KindAppend                                               // append
	KindApplication                                          // application
	KindApply                                                // apply
	KindApproval                                             // approval
	KindApprovalRules                                        // approval rules
	KindArgumentsFromAFile                                   // arguments from a file
	KindAttackTool                                           // attack tool
	KindAudit                                                // audit
	KindBackup                                               // backup
	KindBackups                                              // backups
	KindBatCache                                             // bat cache
	KindBesideTheDocument                                    // beside the document
	KindBinary                                               // binary
	KindBisect                                               // bisect
	KindBoot                                                 // boot
	KindBranch                                               // branch
	KindBranchDelete                                         // branch delete
	KindBranchProtection                                     // branch protection
	KindBrought                                              // brought
	KindBrowserEachCmd                                       // browser.*.cmd
	KindBrowserEachPath                                      // browser.*.path
	KindBuild                                                // build
	KindBuildFiles                                           // build files
	KindBuildProducts                                        // build products
	KindBuilder                                              // builder
	KindBundle                                               // bundle
	KindByteCode                                             // byte code
	KindCache                                                // cache
	KindCallsWithoutEnd                                      // calls without end
	KindCapabilities                                         // capabilities
	KindCapabilitiesRemoved                                  // capabilities removed
	KindCapturesTraffic                                      // captures traffic
	KindCatalogOfTheServer                                   // catalog of the server
	KindCertificate                                          // certificate
	KindCertificateChecks                                    // certificate checks
	KindCertificates                                         // certificates
	KindChart                                                // chart
	KindCheckTurnedOff                                       // check turned off
	KindCheckout                                             // checkout
	KindCheckoutIndex                                        // checkout-index
	KindChecksumsOfModules                                   // checksums of modules
	KindCherryPick                                           // cherry-pick
	KindClass                                                // class
	KindClassFiles                                           // class files
	KindClock                                                // clock
	KindClone                                                // clone
	KindCluster                                              // cluster
	KindClusterRole                                          // cluster role
	KindCode                                                 // code
	KindCodeThatTheServerRuns                                // code that the server runs
	KindCodeWithWord                                         // code with a word
	KindCodingAgent                                          // coding agent
	KindCommandLoop                                          // command loop
	KindCommandTable                                         // command table
	KindCommandToTheServer                                   // command to the server
	KindCommandsOfSecurity                                   // commands of security
	KindCommandsThatWereNotInspected                         // commands that were not inspected
	KindComment                                              // comment
	KindCommit                                               // commit
	KindCommitAndTag                                         // commit and tag
	KindCompiledFiles                                        // compiled files
	KindCompiledProgram                                      // compiled program
	KindComposeFile                                          // compose file
	KindConcealedCommand                                     // concealed command
	KindConcealingCharacters                                 // concealing characters
	KindConfig                                               // config
	KindConfiguration                                        // configuration
	KindConfigurationOfThePasswordStore                      // configuration of the password store
	KindConsole                                              // console
	KindConsoleMessages                                      // console messages
	KindContainer                                            // container
	KindContainerAndVolumes                                  // container and volumes
	KindContainerEngineSocket                                // container engine socket
	KindContainers                                           // containers
	KindContainersAndVolumes                                 // containers and volumes
	KindContainersWithoutEnd                                 // containers without end
	KindConverted                                            // converted
	KindConvertedNotebooks                                   // converted notebooks
	KindCopied                                               // copied
	KindCopiedToAFile                                        // copied to a file
	KindCoreAlternaterefscommand                             // core.alternaterefscommand
	KindCoreAskPass                                          // core.askPass
	KindCoreEditor                                           // core.editor
	KindCoreFsmonitor                                        // core.fsmonitor
	KindCoreGitProxy                                         // core.gitProxy
	KindCoreHooksPath                                        // core.hooksPath
	KindCorePager                                            // core.pager
	KindCoreSshCommand                                       // core.sshCommand
	KindCoreWorktree                                         // core.worktree
	KindCorrectedCommand                                     // corrected command
	KindCredential                                           // credential
	KindCredentialSearch                                     // credential search
	KindCredentialEachHelper                                 // credential.*.helper
	KindCredentialHelper                                     // credential.helper
	KindCredentialsOfThisMachine                             // credentials of this machine
	KindCritical                                             // critical
	KindCronTable                                            // cron table
	KindCrypt                                                // crypt
	KindDataIsLost                                           // data is lost
	KindDataLossAccepted                                     // data loss accepted
	KindDatabase                                             // database
	KindDebugfs                                              // debugfs
	KindDebugged                                             // debugged
	KindDebugger                                             // debugger
	KindDefaultProgram                                       // default program
	KindDefaultToolchain                                     // default toolchain
	KindDelete                                               // delete
	KindDeleteRequest                                        // delete request
	KindDesktop                                              // desktop
	KindDesktopSettings                                      // desktop settings
	KindDevice                                               // device
	KindDeviceAdded                                          // device added
	KindDiffEachCommand                                      // diff.*.command
	KindDiffEachTextconv                                     // diff.*.textconv
	KindDiffExternal                                         // diff.external
	KindDifftoolEachCmd                                      // difftool.*.cmd
	KindDifftoolEachPath                                     // difftool.*.path
	KindDirectoriesWithoutEnd                                // directories without end
	KindDirectory                                            // directory
	KindDisk                                                 // disk
	KindDiskArray                                            // disk array
	KindDiskEncryption                                       // disk encryption
	KindDiskKey                                              // disk key
	KindDocument                                             // document
	KindDownload                                             // download
	KindDownloaded                                           // downloaded
	KindDrop                                                 // drop
	KindDuplicates                                           // duplicates
	KindDuplicatesLinked                                     // duplicates linked
	KindEdit                                                 // edit
	KindEditor                                               // editor
	KindEditorExtension                                      // editor extension
	KindEditorPlugins                                        // editor plugins
	KindEmptiedFirst                                         // emptied first
	KindEmptyDirectory                                       // empty directory
	KindEncoded                                              // encoded
	KindEncryptedDisk                                        // encrypted disk
	KindEndlessInput                                         // endless input
	KindEndlessOutput                                        // endless output
	KindEnvironment                                          // environment
	KindEnvironmentOfServices                                // environment of services
	KindErased                                               // erased
	KindEssentialPackage                                     // essential package
	KindEveryEntity                                          // every entity
	KindEveryKey                                             // every key
	KindEveryKeyThatIsListed                                 // every key that is listed
	KindEveryProcessOfAUser                                  // every process of a user
	KindExchange                                             // exchange
	KindExecPath                                             // exec path
	KindExecutable                                           // executable
	KindExpression                                           // expression
	KindExtension                                            // extension
	KindExtract                                              // extract
	KindExtractAbsoluteNames                                 // extract absolute names
	KindFailedLogins                                         // failed logins
	KindFastImport                                           // fast-import
	KindFetch                                                // fetch
	KindFileNameIndex                                        // file name index
	KindFileSystem                                           // file system
	KindFileSystemRepair                                     // file system repair
	KindFileSystemSettings                                   // file system settings
	KindFileSystemSize                                       // file system size
	KindFiles                                                // files
	KindFilesOfAPod                                          // files of a pod
	KindFilesThatAreNotNeeded                                // files that are not needed
	KindFilesWithoutEnd                                      // files without end
	KindFilter                                               // filter
	KindFilterEachClean                                      // filter.*.clean
	KindFilterEachProcess                                    // filter.*.process
	KindFilterEachSmudge                                     // filter.*.smudge
	KindFind                                                 // find
	KindFirewall                                             // firewall
	KindFirmware                                             // firmware
	KindFirmwareSettings                                     // firmware settings
	KindFixed                                                // fixed
	KindFlags                                                // flags
	KindFlood                                                // flood
	KindFlow                                                 // flow
	KindForkBomb                                             // fork bomb
	KindFormat                                               // format
	KindFormatted                                            // formatted
	KindFromARepository                                      // from a repository
	KindFromARepositoryAndRun                                // from a repository, and run
	KindFsck                                                 // fsck
	KindFunctions                                            // functions
	KindGc                                                   // gc
	KindGenerated                                            // generated
	KindGitSetting                                           // git setting
	KindGitVariable                                          // git variable
	KindGlobalConfig                                         // global config
	KindGpgEachDefaultkeycommand                             // gpg.*.defaultkeycommand
	KindGpgEachProgram                                       // gpg.*.program
	KindGpgProgram                                           // gpg.program
	KindGpgSshDefaultkeycommand                              // gpg.ssh.defaultkeycommand
	KindGraphicsCard                                         // graphics card
	KindGuestAccess                                          // guest access
	KindGuestsMaySignIn                                      // guests may sign in
	KindGuestsMayUseSharedFiles                              // guests may use shared files
	KindGuitoolEachCmd                                       // guitool.*.cmd
	KindHandedToAProgram                                     // handed to a program
	KindHardLink                                             // hard link
	KindHashObject                                           // hash-object
	KindHeed                                                 // heed
	KindOtherShell                                           // heed does not evaluate it
	KindHeedItself                                           // heed itself
	KindHelp                                                 // help
	KindHistory                                              // history
	KindHomeDirectory                                        // home directory
	KindHook                                                 // hook
	KindHookEachCommand                                      // hook.*.command
	KindHooks                                                // hooks
	KindHooksThatItBrings                                    // hooks that it brings
	KindHostKeys                                             // host keys
	KindHostMount                                            // host mount
	KindHostName                                             // host name
	KindHostNamespace                                        // host namespace
	KindHttpEachProxy                                        // http.*.proxy
	KindHttpProxy                                            // http.proxy
	KindHttpSslVerify                                        // http.sslVerify
	KindIgnored                                              // ignored
	KindImage                                                // image
	KindImages                                               // images
	KindImmutable                                            // immutable
	KindImport                                               // import
	KindInABrowser                                           // in a browser
	KindInPlace                                              // in place
	KindInWords                                              // in words
	KindInclude                                              // include
	KindIncomplete                                           // incomplete
	KindIndex                                                // index
	KindIndexes                                              // indexes
	KindInit                                                 // init
	KindInitTemplatedir                                      // init.templatedir
	KindInspectedScript                                      // inspected script
	KindInstalledPackage                                     // installed package
	KindInstawebBrowser                                      // instaweb.browser
	KindInstawebHttpd                                        // instaweb.httpd
	KindInteractive                                          // interactive
	KindInteractiveDifffilter                                // interactive.difffilter
	KindInterrupt                                            // interrupt
	KindIssues                                               // issues
	KindUnparsable                                           // it cannot be parsed
	KindNUL                                                  // it holds a NUL byte
	KindNotUTF8                                              // it is not valid UTF-8
	KindTooComplex                                           // it is too complex to inspect
	KindTooLong                                              // it is too long to inspect
	KindLongDirectory                                        // its directory has a name that no system takes
	KindJob                                                  // job
	KindJobRemoved                                           // job removed
	KindJobs                                                 // jobs
	KindJobsWithoutEnd                                       // jobs without end
	KindJumpHost                                             // jump host
	KindKeepsSetIdRights                                     // keeps set-id rights
	KindKeptForUndo                                          // kept for undo
	KindKernel                                               // kernel
	KindKernelModule                                         // kernel module
	KindKernelModules                                        // kernel modules
	KindKernelParameter                                      // kernel parameter
	KindKernelParameters                                     // kernel parameters
	KindKey                                                  // key
	KindKeyOfThePasswordStore                                // key of the password store
	KindKeyboard                                             // keyboard
	KindKeychain                                             // keychain
	KindKeyring                                              // keyring
	KindKeys                                                 // keys
	KindKeysOfAnAccount                                      // keys of an account
	KindKeysOfTheAgent                                       // keys of the agent
	KindKeysThatAreTyped                                     // keys that are typed
	KindKeyserver                                            // keyserver
	KindKubectlConfiguration                                 // kubectl configuration
	KindLabel                                                // label
	KindLabelDeleted                                         // label deleted
	KindLatexmk                                              // latexmk
	KindLaunchAgent                                          // launch agent
	KindLease                                                // lease
	KindLfs                                                  // lfs
	KindLibraryCache                                         // library cache
	KindLink                                                 // link
	KindLinksToCertificates                                  // links to certificates
	KindListOfDirectories                                    // list of directories
	KindListOfFiles                                          // list of files
	KindListOfPackages                                       // list of packages
	KindLoad                                                 // load
	KindLoadWithoutEnd                                       // load without end
	KindLocalCluster                                         // local cluster
	KindLock                                                 // lock
	KindLockOfTheState                                       // lock of the state
	KindLog                                                  // log
	KindLogEntry                                             // log entry
	KindLogin                                                // login
	KindLoginForAPackageManager                              // login for a package manager
	KindLoginItem                                            // login item
	KindLoginKey                                             // login key
	KindLoginToARegistry                                     // login to a registry
	KindLogs                                                 // logs
	KindLookalikeName                                        // look-alike name
	KindLoopDevice                                           // loop device
	KindMachine                                              // machine
	KindUnitMadeByThisCommand                                // made by this command
	KindMail                                                 // mail
	KindMaintenance                                          // maintenance
	KindMake                                                 // make
	KindMakefile                                             // makefile
	KindManEachCmd                                           // man.*.cmd
	KindManEachPath                                          // man.*.path
	KindMayDropData                                          // may drop data
	KindMayResetADevelopmentDatabase                         // may reset a development database
	KindMembers                                              // members
	KindMembersChanged                                       // members changed
	KindMembersRemoved                                       // members removed
	KindMemory                                               // memory
	KindMemoryWithoutEnd                                     // memory without end
	KindMerge                                                // merge
	KindMergeEachDriver                                      // merge.*.driver
	KindMergetool                                            // mergetool
	KindMergetoolEachCmd                                     // mergetool.*.cmd
	KindMergetoolEachPath                                    // mergetool.*.path
	KindMessageToOthers                                      // message to others
	KindMetadata                                             // metadata
	KindMirror                                               // mirror
	KindMissing                                              // missing
	KindMode                                                 // mode
	KindModule                                               // module
	KindMoreRoomThanThereIs                                  // more room than there is
	KindMountRestrictions                                    // mount restrictions
	KindMountedPasswordStores                                // mounted password stores
	KindMove                                                 // move
	KindMovedIntoTheArchive                                  // moved into the archive
	KindMv                                                   // mv
	KindNames                                                // names
	KindNamesFromAFile                                       // names from a file
	KindNamesHashed                                          // names hashed
	KindNamespacesOfTheFirstProcess                          // namespaces of the first process
	KindNetwork                                              // network
	KindNetworkInterface                                     // network interface
	KindNewKey                                               // new key
	KindNoFile                                               // no file
	KindNoSuchUnitHereNow                                    // no such unit here now
	KindNode                                                 // node
	KindNotLookedAt                                          // not looked at
	KindNotUnderstood                                        // not understood
	KindNotes                                                // notes
	KindObjectFiles                                          // object files
	KindObjectsInTheManifest                                 // objects in the manifest
	KindOneHostRemoved                                       // one host removed
	KindOntoOneAnother                                       // onto one another
	KindOpenedWithTheDesktop                                 // opened with the desktop
	KindOthersEnvironment                                    // others' environment
	KindOutputWithoutEnd                                     // output without end
	KindOverwritten                                          // overwritten
	KindOverwrittenForGood                                   // overwritten for good
	KindOwner                                                // owner
	KindPackage                                              // package
	KindPackageAndItsData                                    // package and its data
	KindPackageArchive                                       // package archive
	KindPackageDatabase                                      // package database
	KindPackageScript                                        // package script
	KindPackageSource                                        // package source
	KindPackages                                             // packages
	KindPackagesWithoutEncryption                            // packages without encryption
	KindPager                                                // pager
	KindPagerOrViewer                                        // pager or viewer
	KindPagerEach                                            // pager.*
	KindPane                                                 // pane
	KindSessionCut                                           // part of its session was not kept
	KindPartitions                                           // partitions
	KindParts                                                // parts
	KindPassphrase                                           // passphrase
	KindPassword                                             // password
	KindPasswordStore                                        // password store
	KindPasswords                                            // passwords
	KindPastCommand                                          // past command
	KindPatch                                                // patch
	KindPatches                                              // patches
	KindPath                                                 // path
	KindPermissionsOfWorkflows                               // permissions of workflows
	KindPipe                                                 // pipe
	KindPlaceholder                                          // placeholder
	KindPlaybook                                             // playbook
	KindPlugin                                               // plugin
	KindPlugins                                              // plugins
	KindPlumbing                                             // plumbing
	KindPod                                                  // pod
	KindPool                                                 // pool
	KindPortForward                                          // port forward
	KindPower                                                // power
	KindPreload                                              // preload
	KindPreview                                              // preview
	KindPrintJob                                             // print job
	KindPrinter                                              // printer
	KindPrivacyDecisions                                     // privacy decisions
	KindPrivate                                              // private
	KindPrivileged                                           // privileged
	KindProcessPriority                                      // process priority
	KindProcessesWithoutEnd                                  // processes without end
	KindProgram                                              // program
	KindProgramOnANetworkConnection                          // program on a network connection
	KindProject                                              // project
	KindProjectScript                                        // project script
	KindProtection                                           // protection
	KindProtocolExtAllow                                     // protocol.ext.allow
	KindProxy                                                // proxy
	KindPrune                                                // prune
	KindPrunedObjects                                        // pruned objects
	KindPublicKey                                            // public key
	KindPull                                                 // pull
	KindPurgeRequest                                         // purge request
	KindQueryOutput                                          // query output
	KindRawEdit                                              // raw edit
	KindReadTree                                             // read-tree
	KindRebase                                               // rebase
	KindRecipientOfPasswords                                 // recipient of passwords
	KindRecordsOfTransfers                                   // records of transfers
	KindRecoveredFiles                                       // recovered files
	KindRecoveryKey                                          // recovery key
	KindReflog                                               // reflog
	KindRegistry                                             // registry
	KindRemote                                               // remote
	KindRemoteAddress                                        // remote address
	KindRemoteHelper                                         // remote helper
	KindRemoteEachReceivepack                                // remote.*.receivepack
	KindRemoteEachUploadpack                                 // remote.*.uploadpack
	KindRename                                               // rename
	KindRepack                                               // repack
	KindRepair                                               // repair
	KindReplaced                                             // replaced
	KindReplacedByABackup                                    // replaced by a backup
	KindReplacedByADump                                      // replaced by a dump
	KindReplacedByItsCompressedForm                          // replaced by its compressed form
	KindReplacedByItsDecompressedForm                        // replaced by its decompressed form
	KindReplacedObjects                                      // replaced objects
	KindReport                                               // report
	KindReset                                                // reset
	KindResourceLimits                                       // resource limits
	KindRestore                                              // restore
	KindReverseShell                                         // reverse shell
	KindRevert                                               // revert
	KindRevocationList                                       // revocation list
	KindRewritten                                            // rewritten
	KindRightsInAWS                                          // rights in AWS
	KindRightsInACluster                                     // rights in a cluster
	KindRightsInTheCloud                                     // rights in the cloud
	KindRightsToSecrets                                      // rights to secrets
	KindRm                                                   // rm
	KindRole                                                 // role
	KindRootShell                                            // root shell
	KindRules                                                // rules
	KindRunLevel                                             // run level
	KindRunsTheResultsOfAQuery                               // runs the results of a query
	KindSafeDirectory                                        // safe.directory
	KindSameContent                                          // same content
	KindScan                                                 // scan
	KindScheduledTask                                        // scheduled task
	KindScreenLock                                           // screen lock
	KindScreenSaver                                          // screen saver
	KindScript                                               // script
	KindSearch                                               // search
	KindSearchIndex                                          // search index
	KindSearchPath                                           // search path
	KindSecretKey                                            // secret key
	KindSecretsForAnImageThatWasNotInspected                 // secrets for an image that was not inspected
	KindSecurityChecks                                       // security checks
	KindSendemailEachCccmd                                   // sendemail.*.cccmd
	KindSendemailEachSendmailcmd                             // sendemail.*.sendmailcmd
	KindSendemailEachTocmd                                   // sendemail.*.tocmd
	KindSendemailCccmd                                       // sendemail.cccmd
	KindSendemailHeadercmd                                   // sendemail.headercmd
	KindSendemailSendmailcmd                                 // sendemail.sendmailcmd
	KindSendemailTocmd                                       // sendemail.tocmd
	KindSensitiveOutputs                                     // sensitive outputs
	KindSequenceEditor                                       // sequence.editor
	KindServer                                               // server
	KindServerCommand                                        // server command
	KindServerStopped                                        // server stopped
	KindService                                              // service
	KindServiceEnabled                                       // service enabled
	KindServiceManager                                       // service manager
	KindSession                                              // session
	KindSetting                                              // setting
	KindSettings                                             // settings
	KindSettingsOfAPackageManager                            // settings of a package manager
	KindSettingsOfConda                                      // settings of conda
	KindSettingsOfGo                                         // settings of go
	KindSettingsOfKubectl                                    // settings of kubectl
	KindSettingsOfPip                                        // settings of pip
	KindSettingsOfRustup                                     // settings of rustup
	KindSettingsOfTheAWSClient                               // settings of the AWS client
	KindSettingsOfTheNATSClient                              // settings of the NATS client
	KindSettingsOfTheClient                                  // settings of the client
	KindSettingsOfThePrompt                                  // settings of the prompt
	KindSetuid                                               // setuid
	KindShadowCopies                                         // shadow copies
	KindSharedMemory                                         // shared memory
	KindSharedShell                                          // shared shell
	KindSharesTheSession                                     // shares the session
	KindShellEscape                                          // shell escape
	KindShellIntegration                                     // shell integration
	KindShown                                                // shown
	KindShutdown                                             // shutdown
	KindSignIn                                               // sign-in
	KindSignaturesErased                                     // signatures erased
	KindSignedLink                                           // signed link
	KindSignsInByItself                                      // signs in by itself
	KindSkip                                                 // skip
	KindSleep                                                // sleep
	KindSmartcardTokens                                      // smartcard tokens
	KindSnapshot                                             // snapshot
	KindSockets                                              // sockets
	KindSparseCheckout                                       // sparse-checkout
	KindStash                                                // stash
	KindStashApply                                           // stash apply
	KindStashPop                                             // stash pop
	KindStashPush                                            // stash push
	KindStatementNotKnown                                    // statement not known
	KindStatementsFromStandardInput                          // statements from standard input
	KindStatementsInAFile                                    // statements in a file
	KindStructureRestored                                    // structure restored
	KindSubmodule                                            // submodule
	KindSubmoduleSetup                                       // submodule setup
	KindSubmoduleEachUpdate                                  // submodule.*.update
	KindSubvolume                                            // subvolume
	KindSudoRules                                            // sudo rules
	KindSudoers                                              // sudoers
	KindSwarm                                                // swarm
	KindSwitch                                               // switch
	KindSymbolicRef                                          // symbolic-ref
	KindSymlink                                              // symlink
	KindSystemConfig                                         // system config
	KindSystemDirectory                                      // system directory
	KindSystemService                                        // system service
	KindTag                                                  // tag
	KindTagDelete                                            // tag delete
	KindTags                                                 // tags
	KindTakesMigrationsBack                                  // takes migrations back
	KindTarEachCommand                                       // tar.*.command
	KindTask                                                 // task
	KindTeam                                                 // team
	KindTemplateHooks                                        // template hooks
	KindTemporaryFile                                        // temporary file
	KindTerminalForLogin                                     // terminal for login
	KindTerminalShown                                        // terminal shown
	KindTestPatterns                                         // test patterns
	KindTests                                                // tests
	KindTheCheckOfPrograms                                   // the check of programs
	KindTheNameThatTheTextGives                              // the name that the text gives
	KindTheRightToGrant                                      // the right to grant
	KindTheServerSData                                       // the server's data
	KindThisRepository                                       // this repository
	KindThroughAProxy                                        // through a proxy
	KindThroughTheWindowManager                              // through the window manager
	KindTimer                                                // timer
	KindTimes                                                // times
	KindTimesCopied                                          // times copied
	KindTraced                                               // traced
	KindTrailerEachCmd                                       // trailer.*.cmd
	KindTrailerEachCommand                                   // trailer.*.command
	KindTrash                                                // trash
	KindTruncate                                             // truncate
	KindTrustedDirectory                                     // trusted directory
	KindTunnel                                               // tunnel
	KindTypedIntoAWindow                                     // typed into a window
	KindUncommit                                             // uncommit
	KindUnconfined                                           // unconfined
	KindUnit                                                 // unit
	KindUnitNotFromAPackage                                  // unit not from a package
	KindUnixSocket                                           // unix socket
	KindUnlistedProgram                                      // unlisted program
	KindUnlistedSubcommand                                   // unlisted subcommand
	KindUnmount                                              // unmount
	KindUnsafeMode                                           // unsafe mode
	KindUnsafePaths                                          // unsafe paths
	KindUnstage                                              // unstage
	KindUntracked                                            // untracked
	KindUntrackedAndIgnored                                  // untracked and ignored
	KindUnusedData                                           // unused data
	KindUnusedDataAndVolumes                                 // unused data and volumes
	KindUpdateIndex                                          // update-index
	KindUpdateRef                                            // update-ref
	KindUploadpackPackobjectshook                            // uploadpack.packobjectshook
	KindUrlInsteadOf                                         // url.insteadOf
	KindUseOfAKey                                            // use of a key
	KindVariableDeleted                                      // variable deleted
	KindVariablesOfAnAccount                                 // variables of an account
	KindVariablesOfAnotherMachine                            // variables of another machine
	KindVariablesOfTheShell                                  // variables of the shell
	KindVirtualEnvironment                                   // virtual environment
	KindVirtualMachine                                       // virtual machine
	KindVisibility                                           // visibility
	KindVisibleToEverybody                                   // visible to everybody
	KindVolume                                               // volume
	KindVolumes                                              // volumes
	KindWebServer                                            // web server
	KindWhatTheFileLacks                                     // what the file lacks
	KindWhatTheSourceLacks                                   // what the source lacks
	KindWhatWasLookedUp                                      // what was looked up
	KindWhereOrHowTheServerKeepsItsData                      // where or how the server keeps its data
	KindWindow                                               // window
	KindWirelessNetworks                                     // wireless networks
	KindWorkflow                                             // workflow
	KindWorktree                                             // worktree
	KindWorktreeAdd                                          // worktree add
	KindWorldWritable                                        // world-writable
)

var kindRows = [...]kindRow{
	{},
	{"--clear", false, []kindUse{{"fs.delete", "", "", "Deletes {target} before it is made anew"}}},
	{"--remove-files", false, []kindUse{{"fs.delete", "", "", "Deletes {target} once it is in the archive"}}},
	{"--remove-source-files", false, []kindUse{{"fs.delete", "", "", "Deletes {target} once it is copied"}}},
	{"-auto-approve", true, []kindUse{{"remote.destroy", "", "", "Changes or destroys {what} without asking again"}}},
	{".envrc", false, []kindUse{{"exec.project", "", "", "Runs the .envrc of this directory"}}},
	{"ALTER … DROP", false, []kindUse{{"db.destroy", "", "", "Drops a part of {target} and the data in it"}}},
	{"D-Bus call", false, []kindUse{{"sys.config", "", "", "Calls {target:a method} over D-Bus"}}},
	{"D-Bus messages", false, []kindUse{{"net.listen", "", "", "Listens to what programs tell each other over D-Bus"}}},
	{"DELETE without WHERE", false, []kindUse{{"db.read", "", "", ""}, {"db.destroy", "", "", "Deletes every row of {target}"}}},
	{"DOS commands on host files", false, []kindUse{{"exec.unknown", "", "", "Runs DOS commands{end}, which can reach files of this machine, not inspected"}}},
	{"DROP", false, []kindUse{{"db.read", "", "", ""}, {"db.destroy", "", "", "Drops {target}"}}},
	{"DROP DATABASE", false, []kindUse{{"db.read", "", "", ""}, {"db.destroy", "", "", "Drops the whole database {target}"}}},
	{"DROP OWNED", false, []kindUse{{"db.read", "", "", ""}, {"db.destroy", "", "", "Drops all that {target} owns"}}},
	{"DROP TABLE", false, []kindUse{{"db.read", "", "", ""}, {"db.destroy", "", "", "Drops the table {target} with its rows"}}},
	{"Dockerfile", false, []kindUse{{"exec.project", "", "", "Runs the Dockerfile of {name} | Runs the Dockerfile"}, {"exec.unknown", "", "", "Runs the Dockerfile of {name} | Runs a Dockerfile"}}},
	{"GitLab data", false, []kindUse{{"remote.destroy", "", "", ""}}},
	{"MCP server", false, []kindUse{{"exec.unknown", "", "", ""}, {"agent.config", "", "", ""}}},
	{"PATH", false, []kindUse{{"exec.unknown", "T1574.007", "ASI05", "Looks for programs in {target} first{end}"}}},
	{"SQL", false, []kindUse{{"fs.read", "", "", "Lets SQL read {target}"}, {"fs.write", "", "", "Lets SQL create {new} | Lets SQL overwrite {target}"}}},
	{"TRUNCATE", false, []kindUse{{"db.destroy", "", "", "Empties {target}"}}},
	{"UPDATE without WHERE", false, []kindUse{{"db.destroy", "", "", "Changes every row of {target}"}}},
	{"Vagrantfile", false, []kindUse{{"exec.project", "", "", "Runs the Vagrantfile"}}},
	{"a part of it cannot be parsed", false, []kindUse{{"blind", "", "", ""}}},
	{"a service account's key", false, []kindUse{{"priv.gain", "T1098", "ASI03", ""}}},
	{"a sourced file cannot be parsed", false, []kindUse{{"blind", "", "", ""}}},
	{"a variable of heed's", false, []kindUse{{"agent.config", "", "", ""}}},
	{"abort", false, []kindUse{{"vcs.local", "", "", "Gives up what was begun, with the work on its conflicts"}}},
	{"access control", false, []kindUse{{"sys.config", "", "", "Changes the access rules that the kernel enforces: {target} | Changes the access rules that the kernel enforces"}, {"defense.evade", "", "", "Switches off access control: {target} | Switches off access control of this machine"}}},
	{"access from outside", false, []kindUse{{"priv.gain", "", "", "Opens {target} to access from outside | Opens access from outside"}}},
	{"access list", false, []kindUse{{"fs.attr", "", "", "Changes the access list of {target}"}}},
	{"access to a bucket", false, []kindUse{{"priv.gain", "", "", "Changes who may use the bucket {target} | Changes who may use a bucket"}}},
	{"access token", false, []kindUse{{"priv.gain", "", "", "Makes an access token for {target} | Makes an access token"}}},
	{"account", false, []kindUse{{"priv.gain", "T1098", "ASI03", "Changes the account {target}, which grants rights | Changes an account and its rights"}, {"sys.config", "", "", "Changes the account {target} | Changes an account of this machine"}}},
	{"accounts", false, []kindUse{{"secret.read", "", "", "Copies the passwords of this machine's accounts out of {target}"}}},
	{"add", false, []kindUse{{"vcs.local", "", "", "Stages files for the next commit"}}},
	{"administrator", false, []kindUse{{"priv.gain", "", "", "Makes {target} an administrator | Makes somebody an administrator"}}},
	{"administrator of the database", false, []kindUse{{"priv.gain", "", "", "Makes {target} an administrator of the database | Makes somebody an administrator of the database"}}},
	{"alias", false, []kindUse{{"exec.project", "", "", ""}, {"exec.unknown", "", "", "Runs the alias {target}"}, {"persist.add", "", "", "Makes {target} run under the name of a command | Defines names that run commands"}}},
	{"all", true, []kindUse{{"proc.signal", "", "", "Signals every process"}}},
	{"all branches", false, []kindUse{{"vcs.push", "", "", "Pushes all branches to {target:the remote}"}, {"vcs.force", "", "", "Force-pushes all branches to {target:the remote}"}}},
	{"all caches", false, []kindUse{{"remote.destroy", "", "", ""}}},
	{"all containers", false, []kindUse{{"remote.destroy", "", "", ""}}},
	{"all rights", false, []kindUse{{"priv.gain", "", "", "Grants all rights in the database to {target} | Grants all rights in the database"}}},
	{"alternatives", false, []kindUse{{"sys.config", "", "", "Changes which version {target} stands for | Changes which version of a program is the default"}}},
	{"am", false, []kindUse{{"vcs.local", "", "", ""}}},
	{"amend", false, []kindUse{{"vcs.local", "", "", "Replaces the last commit by a new one"}}},
	{"and run", false, []kindUse{{"pkg.install", "", "", "Fetches {target:a package} if need be and lets it run{end}, install scripts included"}}},
	{"another heed first in PATH", false, []kindUse{{"agent.config", "", "", ""}}},
	{"anybody may control the engine", false, []kindUse{{"defense.evade", "", "", "Lets anybody who reaches {target} control the container engine"}}},
	{"append", true, []kindUse{{"fs.write", "", "", "Creates {new} | Adds to {where}"}}},
	{"application", false, []kindUse{{"exec.unknown", "", "", "Opens {target} | Opens an application"}}},
	{"apply", false, []kindUse{{"vcs.local", "", "", ""}}},
	{"approval", false, []kindUse{{"agent.config", "", "", ""}}},
	{"approval rules", false, []kindUse{{"defense.evade", "", "", "Weakens the approval rules: {target} | Weakens the approval rules"}}},
	{"arguments from a file", false, []kindUse{{"exec.project", "", "", "Runs Java with arguments from a file"}}},
	{"attack tool", false, []kindUse{{"exec.unknown", "", "", "Runs {who:a tool}{end}, an attack tool"}, {"net.connect", "", "", "Runs {who:a tool}{end}, an attack tool"}, {"priv.gain", "", "", "Runs {who:a tool}{end}, an attack tool"}}},
	{"audit", false, []kindUse{{"sys.config", "", "", "Changes what the kernel's audit records: {target} | Changes what the kernel's audit records"}, {"defense.evade", "", "", "Weakens the audit log: {target} | Weakens the audit log"}}},
	{"backup", false, []kindUse{{"fs.create", "", "", "Makes the backup {new} | Makes a backup in {where}"}, {"net.send", "", "", "Copies data into a backup"}}},
	{"backups", false, []kindUse{{"remote.destroy", "", "", ""}, {"sys.config", "", "", "Makes a backup, or changes which are made: {target} | Makes a backup, or changes which are made"}}},
	{"bat cache", false, []kindUse{{"sys.config", "", "", "Rebuilds bat's cache of syntaxes and themes"}}},
	{"beside the document", false, []kindUse{{"fs.create", "", "", "Writes what it converts beside the document, in {where}"}}},
	{"binary", false, []kindUse{{"exec.unknown", "", "", "Runs {target}{end}, a binary, not inspected"}}},
	{"bisect", false, []kindUse{{"vcs.local", "", "", ""}}},
	{"boot", false, []kindUse{{"sys.config", "", "", "Changes how this machine starts: {target} | Changes how this machine starts"}}},
	{"branch", false, []kindUse{{"vcs.local", "", "", "Changes the branch {target} | Changes branches"}, {"vcs.rewrite", "", "", ""}, {"remote.destroy", "", "", ""}}},
	{"branch delete", false, []kindUse{{"vcs.local", "", "", "Deletes a branch if it is merged: {target} | Deletes a branch if it is merged"}}},
	{"branch protection", false, []kindUse{{"defense.evade", "", "", "Takes away the protection of a branch: {target} | Takes away the protection of a branch"}}},
	{"brought", false, []kindUse{{"fs.write", "", "", "Checks out {target}"}}},
	{"browser.*.cmd", false, []kindUse{{"exec.project", "", "", ""}, {"persist.add", "", "", ""}}},
	{"browser.*.path", false, []kindUse{{"exec.project", "", "", ""}, {"persist.add", "", "", ""}}},
	{"build", false, []kindUse{{"exec.project", "", "", "Runs {name}{end}, a step of this project's build, not inspected | Runs the build of this project"}}},
	{"build files", false, []kindUse{{"fs.write", "", "", "Writes build files into {where}"}}},
	{"build products", false, []kindUse{{"fs.delete", "", "", "Deletes what was built: {target}"}}},
	{"builder", false, []kindUse{{"remote.change", "", "", ""}}},
	{"bundle", false, []kindUse{{"vcs.local", "", "", ""}}},
	{"byte code", false, []kindUse{{"fs.create", "", "", "Writes compiled Python code into {where}"}}},
	{"cache", false, []kindUse{{"remote.destroy", "", "", ""}}},
	{"calls without end", false, []kindUse{{"resource.exhaust", "T1499", "ASI08", "Uses up the memory: {target} calls itself without end"}}},
	{"capabilities", false, []kindUse{{"priv.gain", "", "", "Gives {target} capabilities: rights of root for whoever runs it | Gives a program capabilities: rights of root for whoever runs it"}}},
	{"capabilities removed", false, []kindUse{{"fs.attr", "", "", "Takes the capabilities away from {target}"}}},
	{"captures traffic", false, []kindUse{{"net.listen", "", "", "Captures network traffic"}}},
	{"catalog of the server", false, []kindUse{{"sys.config", "", "", "Sets this machine up as its Puppet server says"}}},
	{"certificate", false, []kindUse{{"remote.change", "", "", ""}, {"defense.evade", "", "", "Makes this machine trust a certificate: {target} | Makes this machine trust a certificate"}}},
	{"certificate checks", false, []kindUse{{"defense.evade", "", "", "Switches off the check of certificates: {target} | Switches off the check of certificates"}}},
	{"certificates", false, []kindUse{{"fs.write", "", "", "Writes keys and certificates into {where}"}}},
	{"chart", false, []kindUse{{"fs.create", "", "", "Creates a chart in {where}"}}},
	{"check turned off", false, []kindUse{{"exec.known", "", "", "Runs {who} with {target}{end}, so that it does not check who answers"}}},
	{"checkout", false, []kindUse{{"vcs.local", "", "", "Switches to {target} | Switches to another branch or commit"}}},
	{"checkout-index", false, []kindUse{{"vcs.local", "", "", ""}}},
	{"checksums of modules", false, []kindUse{{"defense.evade", "", "", "Weakens the check of what is downloaded: {target} | Weakens the check of what is downloaded"}}},
	{"cherry-pick", false, []kindUse{{"vcs.local", "", "", "Copies commits to the current branch"}}},
	{"class", false, []kindUse{{"exec.project", "", "", "Runs the class {target}"}}},
	{"class files", false, []kindUse{{"fs.create", "", "", "Writes class files into {where}"}}},
	{"clock", false, []kindUse{{"sys.config", "", "", "Changes this machine's clock or time zone: {target} | Changes this machine's clock or time zone"}}},
	{"clone", false, []kindUse{{"vcs.local", "", "", "Clones a repository"}}},
	{"cluster", false, []kindUse{{"db.change", "", "", ""}, {"db.destroy", "", "", ""}}},
	{"cluster role", false, []kindUse{{"priv.gain", "", "", "Grants the cluster role {target} | Grants rights in the whole cluster"}}},
	{"code", false, []kindUse{{"exec.project", "", "", ""}, {"exec.unknown", "", "", "Runs {target}"}, {"exec.remote", "", "", ""}}},
	{"code that the server runs", false, []kindUse{{"remote.destroy", "", "", ""}}},
	{"code with a word", false, []kindUse{{"exec.unknown", "", "", "Runs code with a word in it that whoever runs the file gives: {target}"}}},
	{"coding agent", false, []kindUse{{"exec.unknown", "", "", "Starts the coding agent {who:it}{end}, whose commands are not seen here"}}},
	{"command loop", false, []kindUse{{"exec.shell", "", "", "Opens {who:a program}{end}, which can start a shell"}}},
	{"command table", false, []kindUse{{"defense.evade", "", "", "Makes the shell run another program for a name: {target}"}}},
	{"command to the server", false, []kindUse{{"remote.change", "", "", ""}, {"remote.destroy", "", "", ""}}},
	{"commands of security", false, []kindUse{{"exec.unknown", "", "", "Runs commands on the keychains"}}},
	{"commands that were not inspected", false, []kindUse{{"net.send", "", "", "Sends commands to {target}{end}, which were not inspected"}}},
	{"comment", false, []kindUse{{"fs.write", "", "", "Changes the comment in {target}"}, {"remote.destroy", "", "", ""}}},
	{"commit", false, []kindUse{{"vcs.local", "", "", "Commits to the current branch"}}},
	{"commit and tag", false, []kindUse{{"vcs.push", "", "", "Pushes a commit and tags of new versions to {target:the remote}"}}},
	{"compiled files", false, []kindUse{{"fs.create", "", "", "Writes compiled files into {where}"}}},
	{"compiled program", false, []kindUse{{"fs.write", "", "", "Writes a compiled program into {where}"}, {"exec.project", "", "", "Runs the program that it compiles"}}},
	{"compose file", false, []kindUse{{"exec.project", "", "", "Runs what the compose file describes"}}},
	{"concealed command", false, []kindUse{{"exec.known", "T1140", "ASI05", "Runs what it decodes to: {target}"}}},
	{"concealing characters", false, []kindUse{{"exec.known", "T1036.002", "ASI09", "Does not read as it runs: it holds {target}"}}},
	{"config", false, []kindUse{{"vcs.local", "", "", "Changes git's settings"}}},
	{"configuration", false, []kindUse{{"fs.read", "", "", ""}, {"net.connect", "", "", ""}, {"db.change", "", "", ""}}},
	{"configuration of the password store", false, []kindUse{{"db.change", "", "", ""}}},
	{"console", false, []kindUse{{"exec.shell", "", "", "Opens {who:a program}{end}, a console that runs commands"}}},
	{"console messages", false, []kindUse{{"sys.config", "", "", "Changes which kernel messages reach the console"}}},
	{"container", false, []kindUse{{"exec.unknown", "", "", "Runs the image {target}"}, {"remote.change", "", "", ""}}},
	{"container and volumes", false, []kindUse{{"remote.destroy", "", "", ""}}},
	{"container engine socket", false, []kindUse{{"priv.gain", "T1611", "ASI03", "Gives a container the engine's socket {target}, which is root's rights on this machine | Gives a container the engine's socket, which is root's rights on this machine"}}},
	{"containers", false, []kindUse{{"remote.change", "", "", ""}}},
	{"containers and volumes", false, []kindUse{{"remote.destroy", "", "", "Removes the containers of this compose project and the data in its volumes"}}},
	{"containers without end", false, []kindUse{{"resource.exhaust", "", "", "Uses up the machine: starts containers without end"}}},
	{"converted", false, []kindUse{{"fs.write", "", "", "Writes a converted document to {new} | Writes a converted document over {target}"}}},
	{"converted notebooks", false, []kindUse{{"fs.create", "", "", "Writes converted notebooks into {where}"}}},
	{"copied", false, []kindUse{{"fs.write", "", "", "Copies files into {where}"}}},
	{"copied to a file", false, []kindUse{{"secret.read", "", "", "Copies {secret} to {file} | Copies {secret} to a file"}}},
	{"core.alternaterefscommand", false, []kindUse{{"exec.project", "", "", ""}, {"persist.add", "", "", ""}}},
	{"core.askPass", false, []kindUse{{"exec.project", "", "", ""}, {"persist.add", "", "", ""}}},
	{"core.editor", false, []kindUse{{"exec.project", "", "", ""}, {"persist.add", "", "", ""}}},
	{"core.fsmonitor", false, []kindUse{{"exec.project", "", "", ""}, {"persist.add", "", "", ""}}},
	{"core.gitProxy", false, []kindUse{{"exec.project", "", "", ""}, {"persist.add", "", "", ""}}},
	{"core.hooksPath", false, []kindUse{{"exec.project", "", "", ""}, {"exec.unknown", "", "", "Runs the hooks in {target}"}, {"persist.add", "", "", ""}}},
	{"core.pager", false, []kindUse{{"exec.project", "", "", ""}, {"persist.add", "", "", ""}}},
	{"core.sshCommand", false, []kindUse{{"exec.project", "", "", ""}, {"persist.add", "", "", ""}}},
	{"core.worktree", false, []kindUse{{"sys.config", "", "", "Changes where git looks for the work tree: {target}"}}},
	{"corrected command", false, []kindUse{{"exec.unknown", "", "", "Runs a corrected form of the last command"}}},
	{"credential", false, []kindUse{{"vcs.local", "", "", ""}}},
	{"credential search", false, []kindUse{{"fs.read", "T1552.001", "ASI03", "Looks for credentials, files named {named}, in {target}{end}"}}},
	{"credential.*.helper", false, []kindUse{{"exec.project", "", "", ""}, {"persist.add", "", "", ""}}},
	{"credential.helper", false, []kindUse{{"exec.project", "", "", ""}, {"persist.add", "", "", ""}}},
	{"credentials of this machine", false, []kindUse{{"secret.read", "", "", "Asks {target} for the credentials of this machine | Asks for the credentials of this machine"}}},
	{"critical", true, []kindUse{{"sys.config", "T1490", "ASI02", ""}}},
	{"cron table", false, []kindUse{{"remote.change", "", "", ""}, {"persist.add", "T1053.003", "ASI02", "Sets the cron table from {target}: its commands run at set times | Sets the cron table: its commands run at set times"}}},
	{"crypt", false, []kindUse{{"vcs.local", "", "", ""}}},
	{"data is lost", false, []kindUse{{"db.destroy", "", "", ""}}},
	{"data loss accepted", false, []kindUse{{"db.destroy", "", "", ""}}},
	{"database", false, []kindUse{{"net.connect", "", "", ""}}},
	{"debugfs", false, []kindUse{{"exec.shell", "", "", "Opens debugfs{end}, which can start a shell"}}},
	{"debugged", false, []kindUse{{"exec.project", "", "", "Runs {target} in a debugger | Runs a program of this project in a debugger"}}},
	{"debugger", false, []kindUse{{"exec.shell", "", "", "Opens a debugger{end}, which can start a shell"}, {"net.listen", "", "", "Lets a debugger connect on {target} | Lets a debugger connect"}}},
	{"default program", false, []kindUse{{"sys.config", "", "", "Changes which program opens {target:files of a type} by default"}}},
	{"default toolchain", false, []kindUse{{"sys.config", "", "", "Makes {target:another toolchain} the default"}}},
	{"delete", false, []kindUse{{"net.send", "", "", ""}, {"vcs.force", "", "", ""}, {"remote.change", "", "", ""}, {"remote.destroy", "", "", ""}}},
	{"delete request", false, []kindUse{{"remote.change", "", "", "Asks {what} to delete what it names"}, {"remote.destroy", "", "", "Asks {what} to delete what it names"}}},
	{"desktop", false, []kindUse{{"sys.config", "", "", "Changes the running desktop: {target} | Changes the running desktop"}}},
	{"desktop settings", false, []kindUse{{"sys.config", "", "", "Changes the desktop setting {target} | Changes settings of the desktop"}}},
	{"device", false, []kindUse{{"fs.create", "", "", "Creates the device file {where}"}, {"priv.gain", "", "", "Gives a container the device {target}"}}},
	{"device added", false, []kindUse{{"disk.write", "", "", "Adds the disk {target} to a file system"}}},
	{"diff.*.command", false, []kindUse{{"exec.project", "", "", ""}, {"persist.add", "", "", ""}}},
	{"diff.*.textconv", false, []kindUse{{"exec.project", "", "", ""}, {"persist.add", "", "", ""}}},
	{"diff.external", false, []kindUse{{"exec.project", "", "", ""}, {"persist.add", "", "", ""}}},
	{"difftool.*.cmd", false, []kindUse{{"exec.project", "", "", ""}, {"persist.add", "", "", ""}}},
	{"difftool.*.path", false, []kindUse{{"exec.project", "", "", ""}, {"persist.add", "", "", ""}}},
	{"directories without end", false, []kindUse{{"resource.exhaust", "", "", "Fills the disk: a loop without end makes directories in {where:the directory}"}}},
	{"directory", true, []kindUse{{"fs.create", "", "", ""}}},
	{"disk", false, []kindUse{{"disk.write", "", "", ""}, {"remote.destroy", "", "", ""}, {"sys.config", "", "", "Changes how the disk {target} is set up | Changes how a disk is set up"}}},
	{"disk array", false, []kindUse{{"disk.write", "", "", ""}, {"sys.config", "", "", "Changes the disk array {target} | Changes a disk array"}}},
	{"disk encryption", false, []kindUse{{"defense.evade", "", "", "Weakens the encryption of the disk"}}},
	{"disk key", false, []kindUse{{"secret.read", "", "", "Shows the key of the encrypted disk {target}"}}},
	{"document", false, []kindUse{{"fs.create", "", "", "Writes a document into {where}"}, {"fs.write", "", "", "Creates the document {new} | Overwrites the document {target}"}}},
	{"download", false, []kindUse{{"fs.create", "", "", "Saves what it downloads in {where}"}, {"fs.write", "", "", ""}}},
	{"downloaded", false, []kindUse{{"exec.remote", "", "", "Runs what was downloaded{end}, unseen"}}},
	{"drop", false, []kindUse{{"db.destroy", "", "", ""}}},
	{"duplicates", false, []kindUse{{"fs.delete", "", "", "Deletes duplicate files in {where}"}}},
	{"duplicates linked", false, []kindUse{{"fs.write", "", "", "Replaces duplicate files in {where} by links"}}},
	{"edit", false, []kindUse{{"fs.write", "", "", "Lets an editor change {where}"}}},
	{"editor", false, []kindUse{{"fs.write", "", "", "Creates {new} | Lets an editor change {where}"}, {"exec.shell", "", "", ""}}},
	{"editor extension", false, []kindUse{{"pkg.install", "", "", "Installs the editor extension {target:of a list}{end}, whose code runs in the editor"}, {"pkg.remove", "", "", "Removes the editor extension {target:of a list}"}}},
	{"editor plugins", false, []kindUse{{"pkg.install", "", "", "Installs plugins of the editor{end}, whose code runs in the editor"}}},
	{"emptied first", false, []kindUse{{"db.destroy", "", "", ""}}},
	{"empty directory", false, []kindUse{{"fs.delete", "", "", ""}}},
	{"encoded", false, []kindUse{{"fs.write", "", "", "Writes encoded or decoded files into {where}"}}},
	{"encrypted disk", false, []kindUse{{"disk.write", "", "", "Changes or erases the encryption of {target}{end}: what it holds can be lost"}, {"sys.config", "", "", "Changes the encrypted disk {target} | Changes an encrypted disk"}}},
	{"endless input", false, []kindUse{{"resource.exhaust", "", "", "Uses up the memory: {who} keeps an input that never ends"}}},
	{"endless output", false, []kindUse{{"resource.exhaust", "", "", "Fills the disk: writes to {where:a file} what never ends"}}},
	{"environment", false, []kindUse{{"exec.unknown", "", "", "Makes other programs run {target}"}}},
	{"environment of services", false, []kindUse{{"sys.config", "", "", "Changes the variables of services that start later: {target} | Changes the variables of services that start later"}}},
	{"erased", false, []kindUse{{"disk.write", "", "", "Erases or overwrites the drive {target}"}}},
	{"essential package", false, []kindUse{{"pkg.remove", "", "", "Removes {target}, without which this machine does not work"}}},
	{"every entity", false, []kindUse{{"remote.destroy", "", "", ""}}},
	{"every key", false, []kindUse{{"db.destroy", "", "", ""}}},
	{"every key that is listed", false, []kindUse{{"db.destroy", "", "", ""}}},
	{"every process of a user", false, []kindUse{{"proc.signal", "", "", "Ends every process of the user {target} | Ends every process of a user"}}},
	{"exchange", false, []kindUse{{"fs.move", "", "", "Exchanges another file with {target}"}}},
	{"exec path", false, []kindUse{{"exec.unknown", "", "", "Runs git's own commands from {target}"}}},
	{"executable", true, []kindUse{{"fs.attr", "", "", "Makes {target} executable"}}},
	{"expression", false, []kindUse{{"exec.remote", "", "", "Runs as code what others write in {target}"}}},
	{"extension", false, []kindUse{{"agent.config", "", "", ""}}},
	{"extract", true, []kindUse{{"fs.write", "", "", "Extracts an archive into {where}"}}},
	{"extract absolute names", false, []kindUse{{"fs.write", "", "", "Lets an archive write files anywhere in {where}"}}},
	{"failed logins", false, []kindUse{{"sys.config", "", "", "Changes what is remembered of failed logins of {target:accounts}"}}},
	{"fast-import", false, []kindUse{{"vcs.local", "", "", ""}}},
	{"fetch", false, []kindUse{{"vcs.local", "", "", "Fetches what the remote has"}}},
	{"file name index", false, []kindUse{{"sys.config", "", "", "Updates the index of file names"}}},
	{"file system", false, []kindUse{{"remote.destroy", "", "", ""}, {"sys.config", "", "", "Changes the file system {target} | Changes a file system"}}},
	{"file system repair", false, []kindUse{{"sys.config", "", "", "Checks the file system on {target:a disk} and repairs it"}}},
	{"file system settings", false, []kindUse{{"sys.config", "", "", "Changes settings of the file system on {target:a disk}"}}},
	{"file system size", false, []kindUse{{"sys.config", "", "", "Changes the size of the file system {target} | Changes the size of a file system"}}},
	{"files", false, []kindUse{{"remote.destroy", "", "", ""}}},
	{"files of a pod", false, []kindUse{{"remote.change", "", "", ""}}},
	{"files that are not needed", false, []kindUse{{"fs.delete", "", "", "Deletes files in {where} that the packages do not need"}}},
	{"files without end", false, []kindUse{{"resource.exhaust", "", "", "Fills the disk: a loop without end makes files in {where:the directory}"}}},
	{"filter", false, []kindUse{{"exec.project", "", "", "Runs the filter {target} of this repository"}}},
	{"filter.*.clean", false, []kindUse{{"exec.project", "", "", ""}, {"persist.add", "", "", ""}}},
	{"filter.*.process", false, []kindUse{{"exec.project", "", "", ""}, {"persist.add", "", "", ""}}},
	{"filter.*.smudge", false, []kindUse{{"exec.project", "", "", ""}, {"persist.add", "", "", ""}}},
	{"find", false, []kindUse{{"fs.delete", "", "", ""}}},
	{"firewall", false, []kindUse{{"sys.config", "", "", "Changes which connections this machine lets through: {target} | Changes which connections this machine lets through"}, {"defense.evade", "T1686", "ASI02", "Weakens the firewall: {target} | Weakens the firewall"}}},
	{"firmware", false, []kindUse{{"disk.write", "", "", "Changes the firmware or settings of the drive {target}"}}},
	{"firmware settings", false, []kindUse{{"sys.config", "", "", "Changes settings of this machine's firmware: {target} | Changes settings of this machine's firmware"}}},
	{"fixed", false, []kindUse{{"fs.write", "", "", "Corrects {target}"}}},
	{"flags", false, []kindUse{{"fs.attr", "", "", "Changes the flags of {target}"}}},
	{"flood", false, []kindUse{{"resource.exhaust", "T1498.001", "ASI02", "Floods {target:a host} with packets"}}},
	{"flow", false, []kindUse{{"vcs.local", "", "", ""}}},
	{"fork bomb", false, []kindUse{{"resource.exhaust", "", "", ""}}},
	{"format", false, []kindUse{{"fs.write", "", "", "Makes a file system in {target}"}, {"disk.write", "", "", "Makes a new file system on {target}{end}: what it holds is lost"}}},
	{"formatted", false, []kindUse{{"fs.write", "", "", "Formats {target}"}}},
	{"from a repository", false, []kindUse{{"pkg.install", "", "", "Installs {target:packages} from source{end}, whose build and install scripts can run code"}}},
	{"from a repository, and run", false, []kindUse{{"pkg.install", "", "", "Builds {target:a package} from its source and lets it run{end}, build and install scripts included"}}},
	{"fsck", false, []kindUse{{"vcs.local", "", "", ""}}},
	{"functions", false, []kindUse{{"db.destroy", "", "", ""}}},
	{"gc", false, []kindUse{{"vcs.local", "", "", ""}, {"vcs.rewrite", "", "", ""}}},
	{"generated", false, []kindUse{{"fs.write", "", "", "Writes generated files into {where}"}}},
	{"git setting", false, []kindUse{{"exec.known", "", "", "Runs {who} with the setting {target}{end}, which heed does not know to be harmless"}, {"sys.config", "", "", "Changes git's setting {target}{end}, which heed does not know to be harmless"}}},
	{"git variable", false, []kindUse{{"exec.known", "", "", "Runs {who} with the variable {target}{end}, which it obeys in a way that heed does not follow"}}},
	{"global config", false, []kindUse{{"vcs.local", "", "", "Changes git's settings for every repository"}}},
	{"gpg.*.defaultkeycommand", false, []kindUse{{"exec.project", "", "", ""}, {"persist.add", "", "", ""}}},
	{"gpg.*.program", false, []kindUse{{"exec.project", "", "", ""}, {"persist.add", "", "", ""}}},
	{"gpg.program", false, []kindUse{{"exec.project", "", "", ""}, {"persist.add", "", "", ""}}},
	{"gpg.ssh.defaultkeycommand", false, []kindUse{{"exec.project", "", "", ""}, {"persist.add", "", "", ""}}},
	{"graphics card", false, []kindUse{{"sys.config", "", "", "Changes how the graphics card runs: {target} | Changes how the graphics card runs"}}},
	{"guest access", false, []kindUse{{"sys.config", "", "", "Changes whether guests may log in"}}},
	{"guests may sign in", false, []kindUse{{"defense.evade", "", "", "Lets guests sign in without a password"}}},
	{"guests may use shared files", false, []kindUse{{"defense.evade", "", "", "Lets guests use the shared files"}}},
	{"guitool.*.cmd", false, []kindUse{{"exec.project", "", "", ""}, {"persist.add", "", "", ""}}},
	{"handed to a program", false, []kindUse{{"secret.send", "", "", "Hands {secret} to {target:a program}{end}, which may show or send it"}}},
	{"hard link", false, []kindUse{{"fs.create", "", "", ""}}},
	{"hash-object", false, []kindUse{{"vcs.local", "", "", ""}}},
	{"heed", false, []kindUse{{"agent.config", "", "", ""}}},
	{"heed does not evaluate it", false, []kindUse{{"blind", "", "", ""}}},
	{"heed itself", false, []kindUse{{"agent.config", "", "", ""}}},
	{"help", false, []kindUse{{"exec.unknown", "", "", ""}}},
	{"history", false, []kindUse{{"fs.write", "", "", ""}, {"net.send", "", "", ""}, {"vcs.rewrite", "", "", ""}, {"defense.evade", "T1070.003", "ASI02", "Clears or switches off the shell's history"}}},
	{"home directory", false, []kindUse{{"sys.config", "", "", "Changes the home directory {target} | Changes a home directory"}}},
	{"hook", false, []kindUse{{"exec.project", "", "", "Runs the hook {target}"}, {"vcs.local", "", "", ""}}},
	{"hook.*.command", false, []kindUse{{"exec.project", "", "", ""}, {"persist.add", "", "", ""}}},
	{"hooks", false, []kindUse{{"pkg.install", "", "", "Installs what the project's commit checks need"}}},
	{"hooks that it brings", false, []kindUse{{"exec.project", "", "", "Runs hooks that come with {target}"}}},
	{"host keys", false, []kindUse{{"fs.create", "", "", "Makes the keys of this host in {where}"}}},
	{"host mount", false, []kindUse{{"priv.gain", "T1611", "ASI03", "Gives a container this machine's {target} | Gives a container files of this machine"}}},
	{"host name", false, []kindUse{{"sys.config", "", "", "Gives this machine the name {target} | Changes this machine's name"}}},
	{"host namespace", false, []kindUse{{"priv.gain", "T1611", "ASI03", "Lets a container into the namespaces of this machine"}}},
	{"http.*.proxy", false, []kindUse{{"sys.config", "", "", "Sends git's traffic through the proxy {target} | Changes git's proxy"}}},
	{"http.proxy", false, []kindUse{{"sys.config", "", "", "Sends git's traffic through the proxy {target} | Changes git's proxy"}}},
	{"http.sslVerify", false, []kindUse{{"defense.evade", "", "", "Switches off the check of certificates for git"}}},
	{"ignored", false, []kindUse{{"vcs.discard", "", "", ""}}},
	{"image", false, []kindUse{{"remote.change", "", "", ""}}},
	{"images", false, []kindUse{{"remote.change", "", "", ""}}},
	{"immutable", true, []kindUse{{"fs.attr", "", "", "Allows or forbids to change {target}"}}},
	{"import", false, []kindUse{{"vcs.local", "", "", ""}}},
	{"in a browser", false, []kindUse{{"net.fetch", "", "", "Opens {target} in a browser"}}},
	{"in place", false, []kindUse{{"fs.write", "", "", "Changes {target}"}}},
	{"in words", false, []kindUse{{"net.send", "T1567", "ASI02", "Sends data in the words of a request{where: to a service}"}}},
	{"include", false, []kindUse{{"persist.add", "", "", ""}}},
	{"incomplete", false, []kindUse{{"exec.known", "", "", "Runs {target} without all that it needs: a word is missing"}}},
	{"index", false, []kindUse{{"fs.write", "", "", "Writes an index of charts into {where}"}}},
	{"indexes", false, []kindUse{{"db.destroy", "", "", ""}}},
	{"init", true, []kindUse{{"vcs.local", "", "", "Makes a repository"}, {"proc.signal", "", "", ""}}},
	{"init.templatedir", false, []kindUse{{"persist.add", "", "", ""}}},
	{"inspected script", false, []kindUse{{"exec.project", "", "", "Runs {target}{end}, which was read and judged | Runs a file of this project{end}, which was read and judged"}, {"exec.unknown", "", "", "Runs {target}{end}, which was read and judged"}}},
	{"installed package", false, []kindUse{{"exec.project", "", "", "Runs {target}{end}, an installed package, not inspected"}}},
	{"instaweb.browser", false, []kindUse{{"exec.project", "", "", ""}, {"persist.add", "", "", ""}}},
	{"instaweb.httpd", false, []kindUse{{"exec.project", "", "", ""}, {"persist.add", "", "", ""}}},
	{"interactive", false, []kindUse{{"exec.shell", "", "", ""}}},
	{"interactive.difffilter", false, []kindUse{{"exec.project", "", "", ""}, {"persist.add", "", "", ""}}},
	{"interrupt", false, []kindUse{{"proc.signal", "", "", "Interrupts what runs in {target} | Interrupts what runs there"}}},
	{"issues", false, []kindUse{{"vcs.local", "", "", "Changes the issues of this project"}}},
	{"it cannot be parsed", false, []kindUse{{"blind", "", "", ""}}},
	{"it holds a NUL byte", false, []kindUse{{"blind", "", "", ""}}},
	{"it is not valid UTF-8", false, []kindUse{{"blind", "", "", ""}}},
	{"it is too complex to inspect", false, []kindUse{{"blind", "", "", "Is too complex to inspect"}}},
	{"it is too long to inspect", false, []kindUse{{"blind", "", "", ""}}},
	{"its directory has a name that no system takes", false, []kindUse{{"blind", "", "", ""}}},
	{"job", false, []kindUse{{"persist.add", "T1053", "ASI02", "Has commands run later by the clock (at)"}}},
	{"job removed", false, []kindUse{{"sys.config", "", "", "Removes {target:a scheduled job}"}}},
	{"jobs", false, []kindUse{{"exec.unknown", "", "", "Runs jobs that a server hands out"}}},
	{"jobs without end", false, []kindUse{{"resource.exhaust", "", "", ""}}},
	{"jump host", false, []kindUse{{"net.connect", "", "", "Connects through {target}"}}},
	{"keeps set-id rights", false, []kindUse{{"priv.gain", "", "", "Keeps the rights of a set-id program in the shell"}}},
	{"kept for undo", false, []kindUse{{"fs.write", "", "", "Puts files back that heed kept before a command"}}},
	{"kernel", false, []kindUse{{"sys.config", "", "", "Changes the running kernel: {target} | Changes the running kernel"}}},
	{"kernel module", false, []kindUse{{"sys.config", "", "", "Loads {target} into the kernel or takes it out | Loads code into the kernel or takes it out"}}},
	{"kernel modules", false, []kindUse{{"sys.config", "", "", "Changes which modules the kernel can load: {target} | Changes which modules the kernel can load"}}},
	{"kernel parameter", false, []kindUse{{"sys.config", "", "", "Changes the kernel parameter {target} | Changes a parameter of the running kernel"}, {"defense.evade", "", "", "Weakens the kernel: sets {target}"}}},
	{"kernel parameters", false, []kindUse{{"sys.config", "", "", "Loads the kernel parameters from {target:their files}"}}},
	{"key", false, []kindUse{{"remote.destroy", "", "", ""}, {"db.change", "", "", ""}, {"secret.read", "", "", ""}, {"persist.add", "", "", ""}}},
	{"key of the password store", false, []kindUse{{"db.destroy", "", "", ""}}},
	{"keyboard", false, []kindUse{{"sys.config", "", "", "Changes what the keyboard does: {target} | Changes what the keyboard does"}}},
	{"keychain", false, []kindUse{{"remote.destroy", "", "", ""}, {"sys.config", "", "", "Changes what the keychain {target} holds or allows | Changes what the keychain holds or allows"}}},
	{"keyring", false, []kindUse{{"sys.config", "", "", "Changes the keyring {target} | Changes a keyring"}}},
	{"keys", false, []kindUse{{"db.change", "", "", ""}, {"db.destroy", "", "", ""}}},
	{"keys of an account", false, []kindUse{{"remote.change", "", "", ""}}},
	{"keys of the agent", false, []kindUse{{"sys.config", "", "", "Changes which keys the agent holds: {target} | Changes which keys the agent holds"}}},
	{"keys that are typed", false, []kindUse{{"secret.read", "", "", "Shows every key that is typed"}}},
	{"keyserver", false, []kindUse{{"net.fetch", "", "", "Fetches the key {target} from a keyserver"}}},
	{"kubectl configuration", false, []kindUse{{"sys.config", "", "", "Changes the clusters, users or contexts that kubectl knows: {target} | Changes the clusters, users or contexts that kubectl knows"}}},
	{"label", false, []kindUse{{"fs.attr", "", "", "Changes the security label of {target}"}}},
	{"label deleted", false, []kindUse{{"remote.change", "", "", ""}}},
	{"latexmk", false, []kindUse{{"exec.project", "", "", "Builds a document with the latexmk settings of this project"}}},
	{"launch agent", false, []kindUse{{"persist.add", "", "", "Has {target} started at every login"}}},
	{"lease", false, []kindUse{{"vcs.force", "", "", ""}}},
	{"lfs", false, []kindUse{{"vcs.local", "", "", ""}}},
	{"library cache", false, []kindUse{{"sys.config", "", "", "Rebuilds the list of libraries that programs load"}}},
	{"link", false, []kindUse{{"fs.write", "", "", "Creates the link {new} | Puts a link in the place of {target}"}}},
	{"links to certificates", false, []kindUse{{"fs.create", "", "", "Makes links to the certificates in {where} by their hashes"}}},
	{"list of directories", false, []kindUse{{"sys.config", "", "", "Changes which directories {target:a program} remembers"}}},
	{"list of files", false, []kindUse{{"fs.create", "", "", "Writes a list of files into {where}"}, {"fs.write", "", "", "Writes a list of files to {new} | Writes a list of files over {target}"}}},
	{"list of packages", false, []kindUse{{"sys.config", "", "", "Changes which packages are wanted: {target} | Changes which packages are wanted"}}},
	{"load", false, []kindUse{{"exec.known", "", "", "Loads the machine for a while"}}},
	{"load without end", false, []kindUse{{"resource.exhaust", "", "", "Uses up the machine: {who} loads it until it is stopped"}}},
	{"local cluster", false, []kindUse{{"remote.destroy", "", "", ""}}},
	{"lock", false, []kindUse{{"fs.create", "", "", "Creates the lock {new} | Uses {where} as a lock"}}},
	{"lock of the state", false, []kindUse{{"remote.destroy", "", "", ""}}},
	{"log", false, []kindUse{{"fs.create", "", "", "Writes a log into {where}"}, {"sys.config", "", "", "Changes what {target:the log} keeps"}}},
	{"log entry", false, []kindUse{{"sys.config", "", "", "Adds an entry to the system's log"}}},
	{"login", false, []kindUse{{"exec.shell", "", "", "Logs somebody in without a password"}}},
	{"login for a package manager", false, []kindUse{{"sys.config", "", "", "Saves a login for {target:a package registry}"}}},
	{"login item", false, []kindUse{{"persist.add", "", "", "Has {target} started at every login | Has something started at every login"}}},
	{"login key", false, []kindUse{{"net.send", "", "", "Adds a login key of yours to {target}"}}},
	{"login to a registry", false, []kindUse{{"sys.config", "", "", "Logs in to or out of {target:a registry of images}"}}},
	{"logs", false, []kindUse{{"sys.config", "", "", "Changes or deletes logs of {target:this machine}"}, {"defense.evade", "T1685.006", "ASI02", "Deletes logs: {target} | Deletes logs"}}},
	{"look-alike name", false, []kindUse{{"exec.known", "T1036.005", "ASI04", "Uses {target}"}}},
	{"loop device", false, []kindUse{{"sys.config", "", "", "Attaches or detaches the loop device {target} | Attaches or detaches a loop device"}}},
	{"machine", false, []kindUse{{"remote.change", "", "", ""}, {"remote.destroy", "", "", ""}}},
	{"made by this command", false, []kindUse{{"persist.add", "T1543", "ASI02", ""}}},
	{"mail", false, []kindUse{{"net.send", "", "", "Sends a mail"}}},
	{"maintenance", false, []kindUse{{"vcs.local", "", "", ""}, {"persist.add", "", "", "Has git's upkeep run at set times"}}},
	{"make", false, []kindUse{{"exec.project", "", "", "Runs make"}}},
	{"makefile", false, []kindUse{{"exec.project", "", "", "Runs the makefile's rule for {name} | Runs the makefile"}}},
	{"man.*.cmd", false, []kindUse{{"exec.project", "", "", ""}, {"persist.add", "", "", ""}}},
	{"man.*.path", false, []kindUse{{"exec.project", "", "", ""}, {"persist.add", "", "", ""}}},
	{"may drop data", false, []kindUse{{"db.change", "", "", ""}, {"db.destroy", "", "", ""}}},
	{"may reset a development database", false, []kindUse{{"db.change", "", "", ""}}},
	{"members", false, []kindUse{{"priv.gain", "", "", "Adds members: {target} | Adds members"}}},
	{"members changed", false, []kindUse{{"fs.write", "", "", "Changes the files in the archive {target}"}}},
	{"members removed", false, []kindUse{{"fs.write", "", "", "Removes files from the archive {target}"}}},
	{"memory", false, []kindUse{{"sys.config", "", "", "Changes how memory is used: {target} | Changes how memory is used"}}},
	{"memory without end", false, []kindUse{{"resource.exhaust", "", "", "Uses up the memory: a loop without end keeps more and more"}}},
	{"merge", false, []kindUse{{"vcs.local", "", "", "Merges into the current branch"}}},
	{"merge.*.driver", false, []kindUse{{"exec.project", "", "", ""}, {"persist.add", "", "", ""}}},
	{"mergetool", false, []kindUse{{"vcs.local", "", "", ""}}},
	{"mergetool.*.cmd", false, []kindUse{{"exec.project", "", "", ""}, {"persist.add", "", "", ""}}},
	{"mergetool.*.path", false, []kindUse{{"exec.project", "", "", ""}, {"persist.add", "", "", ""}}},
	{"message to others", false, []kindUse{{"sys.config", "", "", "Writes a message to the terminals of others"}}},
	{"metadata", false, []kindUse{{"fs.write", "", "", "Changes the metadata of {target}"}}},
	{"mirror", false, []kindUse{{"vcs.force", "", "", ""}}},
	{"missing", false, []kindUse{{"exec.unknown", "", "", "Runs nothing now{end}: {where} is not there | Runs the unknown program {target}{end}; it is not installed now"}}},
	{"mode", true, []kindUse{{"fs.attr", "", "", "Changes the permissions of {target}"}}},
	{"module", false, []kindUse{{"exec.project", "", "", ""}, {"db.change", "", "", ""}}},
	{"more room than there is", false, []kindUse{{"resource.exhaust", "", "", "Fills the disk: reserves more room for {where:a file} than a disk has"}}},
	{"mount restrictions", false, []kindUse{{"defense.evade", "", "", "Mounts {target} with fewer restrictions"}}},
	{"mounted password stores", false, []kindUse{{"db.change", "", "", ""}}},
	{"move", true, []kindUse{{"fs.create", "", "", ""}, {"fs.write", "", "", "Creates {new} | Replaces {target}"}}},
	{"moved into the archive", false, []kindUse{{"fs.delete", "", "", "Deletes {target} once it is in the archive"}}},
	{"mv", false, []kindUse{{"vcs.local", "", "", "Renames files in the index"}}},
	{"names", false, []kindUse{{"remote.destroy", "", "", ""}}},
	{"names from a file", false, []kindUse{{"fs.delete", "", "", "Deletes the files that a list names"}}},
	{"names hashed", false, []kindUse{{"fs.write", "", "", "Hashes the host names in {target}"}}},
	{"namespaces of the first process", false, []kindUse{{"priv.gain", "T1611", "ASI03", "Enters the namespaces of the first process, out of any container"}}},
	{"network", false, []kindUse{{"remote.change", "", "", ""}, {"sys.config", "", "", "Changes this machine's network: {target} | Changes this machine's network, which can cut connections"}}},
	{"network interface", false, []kindUse{{"sys.config", "", "", "Changes the network interface {target} | Changes a network interface"}}},
	{"new key", false, []kindUse{{"secret.read", "", "", "Makes a secret key and stores it"}}},
	{"no file", false, []kindUse{{"fs.write", "", "", "Writes to no file{end}, as {target} is not set"}, {"fs.delete", "", "", "Deletes nothing while {target} is not set"}}},
	{"no such unit here now", false, []kindUse{{"persist.add", "T1543", "ASI02", ""}}},
	{"node", false, []kindUse{{"priv.gain", "", "", "Opens a way into {target}, with rights on the node | Opens a way into a node"}}},
	{"not looked at", false, []kindUse{{"fs.read", "", "", "Reads {target}, which could not be looked at"}}},
	{"not understood", false, []kindUse{{"exec.known", "", "", "Runs {who} with {target}{end}, which heed does not know"}}},
	{"notes", false, []kindUse{{"vcs.local", "", "", "Changes notes"}}},
	{"object files", false, []kindUse{{"fs.create", "", "", "Writes object files into {where}"}}},
	{"objects in the manifest", false, []kindUse{{"remote.destroy", "", "", ""}}},
	{"one host removed", false, []kindUse{{"fs.write", "", "", "Removes a host from {target}"}}},
	{"onto one another", false, []kindUse{{"fs.delete", "", "", "Moves files of {where} onto one name: each replaces the one before"}}},
	{"opened with the desktop", false, []kindUse{{"exec.unknown", "", "", "Opens {target} with a program of the desktop{end} | Opens {who:a program of the desktop}{end}"}}},
	{"others' environment", false, []kindUse{{"secret.read", "", "", "Shows what other programs have in their environment, which may hold secrets"}}},
	{"output without end", false, []kindUse{{"resource.exhaust", "", "", "Fills the disk: a loop without end adds to files in {where:the directory}"}}},
	{"overwritten", false, []kindUse{{"fs.write", "", "", ""}, {"remote.destroy", "", "", ""}}},
	{"overwritten for good", false, []kindUse{{"fs.write", "T1485", "ASI02", "Overwrites the data of {target}"}}},
	{"owner", true, []kindUse{{"fs.attr", "", "", "Changes the owner of {target}"}}},
	{"package", false, []kindUse{{"exec.project", "", "", "Runs the package {target}"}}},
	{"package and its data", false, []kindUse{{"pkg.remove", "", "", "Removes {target} and all the data that it keeps"}}},
	{"package archive", false, []kindUse{{"fs.create", "", "", "Creates a package archive in {where}"}}},
	{"package database", false, []kindUse{{"sys.config", "", "", "Changes what the package manager knows of {target:packages}"}}},
	{"package script", false, []kindUse{{"exec.project", "", "", "Runs the package script {target} | Runs a script of package.json"}}},
	{"package source", false, []kindUse{{"sys.config", "", "", "Changes where packages come from: {target} | Changes where packages come from"}}},
	{"packages", false, []kindUse{{"fs.create", "", "", "Saves packages in {where}"}}},
	{"packages without encryption", false, []kindUse{{"defense.evade", "", "", "Takes packages from {target} without encryption | Takes packages without encryption"}}},
	{"pager", false, []kindUse{{"exec.shell", "", "", "Opens a pager{end}, which can start a shell"}}},
	{"pager or viewer", false, []kindUse{{"exec.shell", "", "", "Opens a pager or viewer{end}, which can start a shell"}}},
	{"pager.*", false, []kindUse{{"exec.project", "", "", ""}, {"persist.add", "", "", ""}}},
	{"pane", false, []kindUse{{"proc.signal", "", "", "Ends the pane {target} and what runs in it | Ends a pane and what runs in it"}}},
	{"part of its session was not kept", false, []kindUse{{"blind", "", "", ""}}},
	{"partitions", false, []kindUse{{"fs.write", "", "", "Changes the partitions in {target}"}, {"disk.write", "", "", "Changes the partitions of {target}{end}: what is on them can be lost"}}},
	{"parts", false, []kindUse{{"fs.write", "", "", "Writes parts of files to {where}"}}},
	{"passphrase", false, []kindUse{{"fs.write", "", "", "Changes the passphrase of {target}"}}},
	{"password", false, []kindUse{{"priv.gain", "", "", "Changes the password of {target} | Changes a password"}, {"sys.config", "", "", "Changes the password of {target:an account}"}}},
	{"password store", false, []kindUse{{"vcs.push", "", "", ""}, {"db.change", "", "", ""}, {"db.destroy", "", "", ""}}},
	{"passwords", false, []kindUse{{"priv.gain", "", "", "Sets passwords of accounts"}}},
	{"past command", false, []kindUse{{"exec.unknown", "", "", "Runs a command of the history again"}}},
	{"patch", false, []kindUse{{"fs.write", "", "", "Patches {target}"}}},
	{"patches", false, []kindUse{{"fs.create", "", "", "Writes patches into {where}"}}},
	{"path", false, []kindUse{{"vcs.discard", "", "", ""}}},
	{"permissions of workflows", false, []kindUse{{"priv.gain", "", "", ""}}},
	{"pipe", false, []kindUse{{"fs.create", "", "", "Creates the pipe {where}"}}},
	{"placeholder", false, []kindUse{{"exec.unknown", "", "", "Cannot run as it is written: {target} is a placeholder{end}"}}},
	{"playbook", false, []kindUse{{"exec.project", "", "", "Runs the playbook {target} | Runs a playbook"}}},
	{"plugin", false, []kindUse{{"exec.unknown", "", "", "Loads {target} as code"}, {"agent.config", "", "", ""}}},
	{"plugins", false, []kindUse{{"exec.project", "", "", "Runs the plugins that the manifests name"}}},
	{"plumbing", false, []kindUse{{"vcs.local", "", "", ""}}},
	{"pod", false, []kindUse{{"remote.change", "", "", ""}}},
	{"pool", false, []kindUse{{"disk.write", "", "", ""}, {"sys.config", "", "", "Changes the storage pool {target} | Changes a storage pool"}}},
	{"port forward", false, []kindUse{{"net.listen", "", "", "Forwards connections: {target}"}}},
	{"power", false, []kindUse{{"sys.config", "", "", "Changes how this machine uses power: {target} | Changes how this machine uses power"}}},
	{"preload", true, []kindUse{{"exec.unknown", "T1574.006", "ASI05", "Loads {target} into every program it starts{end}"}}},
	{"preview", false, []kindUse{{"sys.config", "", "", "Changes previews of {target:files}"}}},
	{"print job", false, []kindUse{{"net.send", "", "", "Sends data to the print server {target}"}, {"remote.change", "", "", "Cancels the print job {target} | Cancels print jobs"}}},
	{"printer", false, []kindUse{{"net.send", "", "", "Sends data to a printer"}}},
	{"privacy decisions", false, []kindUse{{"sys.config", "", "", "Forgets or changes which programs may use {target:private data}"}}},
	{"private", true, []kindUse{{"secret.send", "", "", "Sends private data to {target:the network}"}}},
	{"privileged", false, []kindUse{{"priv.gain", "T1611", "ASI03", "Runs a container with root's rights on this machine"}}},
	{"process priority", false, []kindUse{{"sys.config", "", "", "Changes the priority of {target:a process}"}}},
	{"processes without end", false, []kindUse{{"resource.exhaust", "", "", "Uses up the machine: starts processes without end"}}},
	{"program", false, []kindUse{{"exec.unknown", "", "", ""}, {"exec.remote", "", "", ""}}},
	{"program on a network connection", false, []kindUse{{"exec.shell", "", "", ""}}},
	{"project", false, []kindUse{{"fs.create", "", "", "Starts a project in {where}"}}},
	{"project script", false, []kindUse{{"exec.project", "", "", "Runs the project's script {target}"}}},
	{"protection", false, []kindUse{{"defense.evade", "", "", "Switches off a protection of this machine: {target} | Switches off a protection of this machine"}}},
	{"protocol.ext.allow", false, []kindUse{{"defense.evade", "", "", "Lets addresses of repositories run commands"}}},
	{"proxy", false, []kindUse{{"net.connect", "", "", "Connects through the proxy {target}"}}},
	{"prune", false, []kindUse{{"vcs.force", "", "", ""}}},
	{"pruned objects", false, []kindUse{{"remote.destroy", "", "", ""}}},
	{"public key", false, []kindUse{{"net.send", "", "", ""}, {"db.change", "", "", ""}}},
	{"pull", false, []kindUse{{"vcs.local", "", "", "Fetches and merges into the current branch"}}},
	{"purge request", false, []kindUse{{"remote.destroy", "", "", ""}}},
	{"query output", false, []kindUse{{"fs.write", "", "", "Writes the results of queries to {new} | Writes the results of queries over {target}"}}},
	{"raw edit", false, []kindUse{{"fs.write", "", "", ""}, {"disk.write", "", "", "Writes to {target} underneath its file system"}}},
	{"read-tree", false, []kindUse{{"vcs.local", "", "", ""}}},
	{"rebase", false, []kindUse{{"vcs.local", "", "", "Replays commits on another base"}}},
	{"recipient of passwords", false, []kindUse{{"priv.gain", "", "", "Lets {target} read all passwords | Lets somebody else read all passwords"}}},
	{"records of transfers", false, []kindUse{{"fs.delete", "", "", "Deletes records of transfers in {where}"}}},
	{"recovered files", false, []kindUse{{"fs.create", "", "", "Writes recovered files into {where}"}}},
	{"recovery key", false, []kindUse{{"secret.read", "", "", "Makes a new recovery key of the disk and shows it"}}},
	{"reflog", false, []kindUse{{"vcs.rewrite", "", "", ""}}},
	{"registry", false, []kindUse{{"persist.add", "", "", "Has something started at every login, by {target}"}, {"sys.config", "", "", "Changes the registry: {target} | Changes the registry"}}},
	{"remote", false, []kindUse{{"vcs.local", "", "", "Changes which remotes are known"}}},
	{"remote address", false, []kindUse{{"vcs.local", "", "", "Changes where a remote is: later pushes go there"}}},
	{"remote helper", false, []kindUse{{"exec.project", "", "", "Runs the command that the remote's address holds: {target}"}}},
	{"remote.*.receivepack", false, []kindUse{{"exec.project", "", "", ""}, {"persist.add", "", "", ""}}},
	{"remote.*.uploadpack", false, []kindUse{{"exec.project", "", "", ""}, {"persist.add", "", "", ""}}},
	{"rename", false, []kindUse{{"fs.move", "", "", "Renames {target}"}}},
	{"repack", false, []kindUse{{"vcs.local", "", "", ""}}},
	{"repair", false, []kindUse{{"fs.write", "", "", "Repairs {target}"}, {"disk.write", "", "", "Repairs the file system on {target}{end}, which can lose data"}}},
	{"replaced", false, []kindUse{{"fs.delete", "", "", "Replaces {target}"}}},
	{"replaced by a backup", false, []kindUse{{"db.destroy", "", "", ""}}},
	{"replaced by a dump", false, []kindUse{{"db.destroy", "", "", ""}}},
	{"replaced by its compressed form", false, []kindUse{{"fs.write", "", "", "Compresses {target}"}}},
	{"replaced by its decompressed form", false, []kindUse{{"fs.write", "", "", "Decompresses {target}"}}},
	{"replaced objects", false, []kindUse{{"remote.destroy", "", "", ""}}},
	{"report", false, []kindUse{{"fs.write", "", "", "Writes a report into {where}"}}},
	{"reset", false, []kindUse{{"vcs.local", "", "", "Takes files out of the next commit"}, {"vcs.rewrite", "", "", ""}, {"db.destroy", "", "", ""}}},
	{"resource limits", false, []kindUse{{"sys.config", "", "", "Changes limits on {target:resources}"}}},
	{"restore", false, []kindUse{{"vcs.local", "", "", "Takes files out of the next commit"}}},
	{"reverse shell", false, []kindUse{{"exec.remote", "", "", "Gives a shell to {target} | Gives a shell to another machine"}}},
	{"revert", false, []kindUse{{"vcs.local", "", "", "Commits the reverse of other commits"}}},
	{"revocation list", false, []kindUse{{"fs.write", "", "", "Writes a list of revoked keys to {new} | Writes a list of revoked keys over {target}"}}},
	{"rewritten", false, []kindUse{{"fs.write", "", "", "Rewrites {target}"}}},
	{"rights in AWS", false, []kindUse{{"priv.gain", "", "", "Widens rights in AWS"}}},
	{"rights in a cluster", false, []kindUse{{"priv.gain", "", "", "Widens rights in a cluster"}}},
	{"rights in the cloud", false, []kindUse{{"priv.gain", "", "", "Widens rights in the cloud: {target} | Widens rights in the cloud"}}},
	{"rights to secrets", false, []kindUse{{"priv.gain", "", "", "Widens the rights to secrets"}}},
	{"rm", false, []kindUse{{"vcs.local", "", "", "Takes files out of the index"}}},
	{"role", false, []kindUse{{"priv.gain", "", "", "Grants the role {target} | Grants a role"}}},
	{"root shell", false, []kindUse{{"exec.shell", "T1548.003", "ASI03", ""}}},
	{"rules", false, []kindUse{{"agent.config", "", "", ""}}},
	{"run level", false, []kindUse{{"sys.config", "", "", "Changes which services run: switches to {target} | Changes which services run"}}},
	{"runs the results of a query", false, []kindUse{{"db.change", "", "", ""}}},
	{"safe.directory", false, []kindUse{{"sys.config", "", "", "Lets git trust {target:a repository of others}"}}},
	{"same content", false, []kindUse{{"fs.write", "", "", "Writes {where} again as it is"}}},
	{"scan", false, []kindUse{{"net.connect", "", "", "Scans other machines of the network"}}},
	{"scheduled task", false, []kindUse{{"persist.add", "T1053", "ASI02", "Has {target} run at set times | Has something run at set times"}, {"sys.config", "", "", "Changes what runs at set times: {target} | Changes what runs at set times"}}},
	{"screen lock", false, []kindUse{{"sys.config", "", "", "Changes when the screen locks: {target} | Changes when the screen locks"}, {"defense.evade", "", "", "Switches off the lock of the screen"}}},
	{"screen saver", false, []kindUse{{"persist.add", "", "", ""}}},
	{"script", true, []kindUse{{"exec.project", "", "", ""}, {"exec.unknown", "", "", ""}}},
	{"search", false, []kindUse{{"secret.read", "", "", "Searches for credentials in {target}"}}},
	{"search index", false, []kindUse{{"sys.config", "", "", "Changes the search index: {target} | Changes the search index"}}},
	{"search path", false, []kindUse{{"exec.unknown", "", "", "Looks for programs in {target} first{end}"}}},
	{"secret key", false, []kindUse{{"fs.write", "", "", "Writes a secret key to {where}"}, {"db.destroy", "", "", ""}, {"secret.read", "", "", ""}}},
	{"secrets for an image that was not inspected", false, []kindUse{{"priv.gain", "", "", "Gives the secrets in {target} to an image that was not inspected | Gives secrets to an image that was not inspected"}}},
	{"security checks", false, []kindUse{{"defense.evade", "", "", "Switches off security checks: {target} | Switches off security checks"}}},
	{"sendemail.*.cccmd", false, []kindUse{{"exec.project", "", "", ""}, {"persist.add", "", "", ""}}},
	{"sendemail.*.sendmailcmd", false, []kindUse{{"exec.project", "", "", ""}, {"persist.add", "", "", ""}}},
	{"sendemail.*.tocmd", false, []kindUse{{"exec.project", "", "", ""}, {"persist.add", "", "", ""}}},
	{"sendemail.cccmd", false, []kindUse{{"exec.project", "", "", ""}, {"persist.add", "", "", ""}}},
	{"sendemail.headercmd", false, []kindUse{{"exec.project", "", "", ""}, {"persist.add", "", "", ""}}},
	{"sendemail.sendmailcmd", false, []kindUse{{"exec.project", "", "", ""}, {"persist.add", "", "", ""}}},
	{"sendemail.tocmd", false, []kindUse{{"exec.project", "", "", ""}, {"persist.add", "", "", ""}}},
	{"sensitive outputs", false, []kindUse{{"remote.read", "", "", "Shows outputs of {what:the state} that may be secret"}}},
	{"sequence.editor", false, []kindUse{{"exec.project", "", "", ""}, {"persist.add", "", "", ""}}},
	{"server", false, []kindUse{{"proc.signal", "", "", "Ends the server of {who:it} and every session in it"}}},
	{"server command", false, []kindUse{{"exec.shell", "T1505.001", "ASI05", "Has the database's server run {target} | Has the database's server run a command"}}},
	{"server stopped", false, []kindUse{{"remote.change", "", "", ""}}},
	{"service", false, []kindUse{{"persist.add", "T1543", "ASI02", "Has {target} started as a service from now on | Has a service started from now on"}, {"sys.config", "", "", "Starts, stops or sets up {target:a service of this machine}"}, {"defense.evade", "", "", "Stops or switches off {target}, a defence of this machine | Stops or switches off a defence of this machine"}}},
	{"service enabled", false, []kindUse{{"sys.config", "", "", "Lets {target:a service} start with this machine"}}},
	{"service manager", false, []kindUse{{"sys.config", "", "", "Changes the service manager: {target} | Changes the service manager"}}},
	{"session", false, []kindUse{{"proc.signal", "", "", "Ends the session {target} and what runs in it | Ends a session and what runs in it"}}},
	{"setting", false, []kindUse{{"exec.project", "", "", "Runs {target}, which the settings of this repository name"}, {"exec.unknown", "", "", ""}, {"persist.add", "", "", ""}, {"sys.config", "", "", "Changes the setting {target} | Changes a setting"}, {"agent.config", "", "", ""}}},
	{"settings", false, []kindUse{{"sys.config", "", "", "Changes settings of {target:this machine}"}, {"defense.evade", "", "", "Weakens a protection of this machine: {target} | Weakens a protection of this machine"}}},
	{"settings of a package manager", false, []kindUse{{"sys.config", "", "", "Changes the package manager's setting {target} | Changes settings of the package manager"}}},
	{"settings of conda", false, []kindUse{{"sys.config", "", "", "Changes conda's setting {target} | Changes conda's settings"}}},
	{"settings of go", false, []kindUse{{"sys.config", "", "", "Changes go's setting {target} | Changes go's settings"}}},
	{"settings of kubectl", false, []kindUse{{"sys.config", "", "", "Changes kubectl's setting {target} | Changes kubectl's settings"}}},
	{"settings of pip", false, []kindUse{{"sys.config", "", "", "Changes pip's setting {target} | Changes pip's settings"}}},
	{"settings of rustup", false, []kindUse{{"sys.config", "", "", "Changes rustup's setting {target} | Changes rustup's settings"}}},
	{"settings of the AWS client", false, []kindUse{{"sys.config", "", "", "Changes the AWS client's setting {target} | Changes the AWS client's settings"}}},
	{"settings of the NATS client", false, []kindUse{{"sys.config", "", "", "Changes the NATS client's setting {target} | Changes the NATS client's settings"}}},
	{"settings of the client", false, []kindUse{{"sys.config", "", "", "Changes the client's setting {target} | Changes the client's settings"}}},
	{"settings of the prompt", false, []kindUse{{"sys.config", "", "", "Changes how the prompt looks: {target} | Changes how the prompt looks"}}},
	{"setuid", true, []kindUse{{"fs.attr", "T1548.001", "ASI03", "Lets everybody run {target} with its owner's rights"}}},
	{"shadow copies", false, []kindUse{{"remote.destroy", "", "", ""}}},
	{"shared memory", false, []kindUse{{"sys.config", "", "", "Changes shared memory or queues of processes: {target} | Changes shared memory or queues of processes"}}},
	{"shared shell", false, []kindUse{{"exec.remote", "T1219", "ASI05", "Gives others a shell on this machine through {target}"}}},
	{"shares the session", false, []kindUse{{"priv.gain", "", "", "Lets others into the terminal session"}}},
	{"shell escape", false, []kindUse{{"exec.shell", "", "", ""}}},
	{"shell integration", false, []kindUse{{"persist.add", "", "", ""}}},
	{"shown", true, []kindUse{{"fs.read", "", "", ""}, {"secret.read", "", "", ""}}},
	{"shutdown", false, []kindUse{{"db.change", "", "", ""}}},
	{"sign-in", false, []kindUse{{"sys.config", "", "", "Signs in to or out of {target:a service}"}}},
	{"signatures erased", false, []kindUse{{"disk.write", "", "", "Erases from {target} what tells its file system or partitions{end}: what it holds is no longer found"}}},
	{"signed link", false, []kindUse{{"secret.read", "", "", "Makes a link by which anybody can fetch {target} | Makes a link that anybody can use"}}},
	{"signs in by itself", false, []kindUse{{"defense.evade", "", "", "Lets an account sign in without its password"}}},
	{"skip", false, []kindUse{{"vcs.local", "", "", "Drops the commit that is being replayed"}}},
	{"sleep", false, []kindUse{{"sys.config", "", "", "Changes whether this machine sleeps: {target} | Changes whether this machine sleeps"}}},
	{"smartcard tokens", false, []kindUse{{"sys.config", "", "", "Changes what smart cards hold: {target} | Changes what smart cards hold"}}},
	{"snapshot", false, []kindUse{{"sys.config", "", "", "Makes or changes the snapshot {target} | Makes or changes a snapshot"}}},
	{"sockets", false, []kindUse{{"proc.signal", "", "", ""}}},
	{"sparse-checkout", false, []kindUse{{"vcs.local", "", "", ""}}},
	{"stash", false, []kindUse{{"vcs.local", "", "", "Changes the stash"}, {"vcs.discard", "", "", ""}}},
	{"stash apply", false, []kindUse{{"vcs.local", "", "", "Brings stashed changes back"}}},
	{"stash pop", false, []kindUse{{"vcs.local", "", "", "Brings stashed changes back"}}},
	{"stash push", false, []kindUse{{"vcs.local", "", "", "Puts changes aside in the stash"}}},
	{"statement not known", false, []kindUse{{"db.change", "", "", ""}}},
	{"statements from standard input", false, []kindUse{{"db.change", "", "", ""}}},
	{"statements in a file", false, []kindUse{{"db.change", "", "", ""}}},
	{"structure restored", false, []kindUse{{"disk.write", "", "", "Puts a saved structure back into the file system on {target}"}}},
	{"submodule", false, []kindUse{{"vcs.local", "", "", "Fetches and checks out submodules"}, {"vcs.discard", "", "", ""}}},
	{"submodule setup", false, []kindUse{{"vcs.local", "", "", "Changes the setup of submodules"}}},
	{"submodule.*.update", false, []kindUse{{"exec.project", "", "", ""}, {"persist.add", "", "", ""}}},
	{"subvolume", false, []kindUse{{"fs.delete", "", "", "Deletes the subvolume {target}"}}},
	{"sudo rules", false, []kindUse{{"priv.gain", "", "", "Opens the rules of who may become root (sudoers) in the editor"}}},
	{"sudoers", false, []kindUse{{"priv.gain", "", "", "Lets {target} become root by sudo | Lets somebody become root by sudo"}}},
	{"swarm", false, []kindUse{{"remote.change", "", "", ""}, {"remote.destroy", "", "", ""}}},
	{"switch", false, []kindUse{{"vcs.local", "", "", "Switches to {target} | Switches to another branch"}}},
	{"symbolic-ref", false, []kindUse{{"vcs.local", "", "", ""}}},
	{"symlink", false, []kindUse{{"fs.create", "", "", ""}}},
	{"system config", false, []kindUse{{"vcs.local", "", "", ""}}},
	{"system directory", false, []kindUse{{"remote.change", "", "", ""}}},
	{"system service", true, []kindUse{{"proc.signal", "", "", "Signals processes that the machine needs: {name}"}}},
	{"tag", false, []kindUse{{"vcs.push", "", "", ""}, {"vcs.local", "", "", "Sets the tag {target} | Changes tags"}, {"vcs.rewrite", "", "", ""}}},
	{"tag delete", false, []kindUse{{"vcs.local", "", "", "Deletes the tag {target} | Deletes a tag"}}},
	{"tags", false, []kindUse{{"vcs.push", "", "", "Pushes tags to {target:the remote}"}}},
	{"takes migrations back", false, []kindUse{{"db.change", "", "", ""}, {"db.destroy", "", "", ""}}},
	{"tar.*.command", false, []kindUse{{"exec.project", "", "", ""}, {"persist.add", "", "", ""}}},
	{"task", false, []kindUse{{"exec.project", "", "", ""}, {"db.read", "", "", ""}, {"db.change", "", "", ""}, {"db.destroy", "", "", ""}}},
	{"team", false, []kindUse{{"priv.gain", "", "", "Gives a team rights: {target}"}}},
	{"template hooks", false, []kindUse{{"exec.unknown", "", "", "Takes hooks from {target}{end}, which git runs later, not inspected"}}},
	{"temporary file", false, []kindUse{{"fs.create", "", "", ""}}},
	{"terminal for login", false, []kindUse{{"sys.config", "", "", "Offers a login on the terminal {target} | Offers a login on a terminal"}}},
	{"terminal shown", false, []kindUse{{"net.listen", "", "", "Shows a terminal to whoever connects"}}},
	{"test patterns", false, []kindUse{{"disk.write", "", "", "Overwrites {target} with test patterns"}}},
	{"tests", false, []kindUse{{"exec.project", "", "", "Runs the tests of this project"}}},
	{"the check of programs", false, []kindUse{{"sys.config", "", "", "Changes which programs the machine lets run: {target} | Changes which programs the machine lets run"}}},
	{"the name that the text gives", false, []kindUse{{"fs.write", "", "", "Writes a file into {where} under the name that the text gives"}}},
	{"the right to grant", false, []kindUse{{"priv.gain", "", "", "Lets {target} grant rights to others | Grants the right to grant"}}},
	{"the server's data", false, []kindUse{{"db.destroy", "", "", ""}}},
	{"this repository", false, []kindUse{{"remote.destroy", "", "", ""}}},
	{"through a proxy", false, []kindUse{{"net.connect", "", "", "Connects through a proxy"}}},
	{"through the window manager", false, []kindUse{{"exec.shell", "", "", "Starts a program through the window manager{end}, which can be a shell"}}},
	{"timer", false, []kindUse{{"persist.add", "T1053", "ASI02", "Has a command run later by a timer"}}},
	{"times", true, []kindUse{{"fs.attr", "", "", "Changes the times of {target}"}}},
	{"times copied", false, []kindUse{{"fs.attr", "", "", "Copies the times of another file to {target}"}}},
	{"traced", false, []kindUse{{"proc.signal", "", "", "Attaches to the process {target}, to watch or change it | Attaches to a process, to watch or change it"}}},
	{"trailer.*.cmd", false, []kindUse{{"exec.project", "", "", ""}, {"persist.add", "", "", ""}}},
	{"trailer.*.command", false, []kindUse{{"exec.project", "", "", ""}, {"persist.add", "", "", ""}}},
	{"trash", false, []kindUse{{"fs.delete", "", "", ""}, {"fs.move", "", "", "Moves {target} to the trash"}}},
	{"truncate", true, []kindUse{{"fs.write", "T1485", "ASI02", "Creates {new} | Empties {target}"}}},
	{"trusted directory", false, []kindUse{{"sys.config", "", "", "Trusts the directory {target} | Trusts a directory"}}},
	{"tunnel", false, []kindUse{{"net.listen", "", "", ""}, {"net.connect", "", "", ""}, {"sys.config", "", "", "Opens or closes the tunnel {target} | Opens or closes a tunnel"}}},
	{"typed into a window", false, []kindUse{{"exec.unknown", "", "", "Types into another window{end}"}, {"blind", "", "", "Types into another window{end} what is no command of a shell: not inspected"}}},
	{"uncommit", false, []kindUse{{"vcs.rewrite", "", "", ""}}},
	{"unconfined", false, []kindUse{{"priv.gain", "", "", "Runs a container without its confinement"}}},
	{"unit", false, []kindUse{{"persist.add", "T1543", "ASI02", "Has the unit {target} started from now on | Has a unit started from now on"}, {"sys.config", "", "", "Changes the unit {target} | Changes a unit of the service manager"}}},
	{"unit not from a package", false, []kindUse{{"persist.add", "T1543", "ASI02", ""}}},
	{"unix socket", false, []kindUse{{"net.connect", "", "", "Connects to the socket {target}"}, {"fs.write", "", "", "Sends what it is given to the socket {target}"}}},
	{"unlisted program", false, []kindUse{{"remote.destroy", "", "", "May destroy something: {what}{end}, from a program heed does not know"}}},
	{"unlisted subcommand", false, []kindUse{{"remote.destroy", "", "", ""}}},
	{"unmount", false, []kindUse{{"fs.mount", "", "", "Unmounts {target}"}}},
	{"unsafe mode", false, []kindUse{{"exec.unknown", "", "", "Runs the commands that the document holds"}}},
	{"unsafe paths", false, []kindUse{{"fs.write", "", "", "Lets a patch change files anywhere in {where}"}}},
	{"unstage", false, []kindUse{{"vcs.local", "", "", "Takes files out of the next commit"}}},
	{"untracked", false, []kindUse{{"vcs.discard", "", "", ""}}},
	{"untracked and ignored", false, []kindUse{{"vcs.discard", "", "", ""}}},
	{"unused data", false, []kindUse{{"remote.change", "", "", ""}}},
	{"unused data and volumes", false, []kindUse{{"remote.destroy", "", "", ""}}},
	{"update-index", false, []kindUse{{"vcs.local", "", "", ""}}},
	{"update-ref", false, []kindUse{{"vcs.local", "", "", ""}}},
	{"uploadpack.packobjectshook", false, []kindUse{{"exec.project", "", "", ""}, {"persist.add", "", "", ""}}},
	{"url.insteadOf", false, []kindUse{{"persist.add", "", "", ""}}},
	{"use of a key", false, []kindUse{{"priv.gain", "", "", "Widens the use of a key"}}},
	{"variable deleted", false, []kindUse{{"remote.change", "", "", ""}}},
	{"variables of an account", false, []kindUse{{"secret.read", "", "", "Shows the variables of a service that hold its credentials, if they are set"}}},
	{"variables of another machine", false, []kindUse{{"remote.read", "", "", "Shows the variables{end}, which may hold secrets"}}},
	{"variables of the shell", false, []kindUse{{"secret.read", "", "", "Prints every variable of the shell, those that are not exported too, which may hold secrets"}}},
	{"virtual environment", false, []kindUse{{"fs.create", "", "", "Makes the virtual environment {where}"}}},
	{"virtual machine", false, []kindUse{{"exec.unknown", "", "", "Starts a virtual machine"}}},
	{"visibility", false, []kindUse{{"remote.change", "", "", ""}}},
	{"visible to everybody", false, []kindUse{{"priv.gain", "", "", "Makes {target} visible to everybody | Makes it visible to everybody"}}},
	{"volume", false, []kindUse{{"remote.change", "", "", ""}, {"remote.destroy", "", "", ""}}},
	{"volumes", false, []kindUse{{"disk.write", "", "", ""}, {"remote.destroy", "", "", ""}, {"sys.config", "", "", "Changes the storage volume {target} | Changes storage volumes"}}},
	{"web server", false, []kindUse{{"net.listen", "", "", "Serves files to the network"}}},
	{"what the file lacks", false, []kindUse{{"remote.destroy", "", "", ""}}},
	{"what the source lacks", false, []kindUse{{"fs.delete", "", "", "Deletes what is in {where} and not in the source"}, {"remote.destroy", "", "", "Deletes what is in {target} and not in the source"}}},
	{"what was looked up", false, []kindUse{{"sys.config", "", "", "Forgets which addresses were looked up"}}},
	{"where or how the server keeps its data", false, []kindUse{{"db.destroy", "", "", ""}}},
	{"window", false, []kindUse{{"proc.signal", "", "", "Ends the window {target} and what runs in it | Ends a window and what runs in it"}}},
	{"wireless networks", false, []kindUse{{"net.listen", "", "", "Listens to wireless networks"}}},
	{"workflow", false, []kindUse{{"exec.unknown", "", "", "Runs the workflow {target} | Runs a workflow"}}},
	{"worktree", false, []kindUse{{"fs.delete", "", "", ""}, {"vcs.local", "", "", ""}, {"vcs.discard", "", "", ""}}},
	{"worktree add", false, []kindUse{{"vcs.local", "", "", "Adds a work tree"}}},
	{"world-writable", true, []kindUse{{"fs.attr", "", "", "Lets everybody change {target}"}}},
}
