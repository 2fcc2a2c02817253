package explain

import "testing"

func TestTrials(t *testing.T) {
	t.Parallel()
	for command, want := range map[string]string{
		"terraform apply -auto-approve": "terraform plan", "sudo apt remove nginx": "sudo apt remove nginx --dry-run", "kubectl delete pod web": "kubectl delete pod web --dry-run=server",
		"az vm delete -g rg -n web --yes": "az vm show -g rg -n web", "dd if=a.img of=/dev/sda": "lsblk -f /dev/sda", "npm install": "npm install --ignore-scripts",
		"kubectl delete pod web --dry-run=client": "", "kubectl delete pod web; ls": "", "npm installed": "", "ls delete": "", "pip install 'a b'": "",
	} {
		if got, _ := trial(command); got != want {
			t.Errorf("%q: %q, want %q", command, got, want)
		}
	}
}
